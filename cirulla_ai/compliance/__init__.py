"""Whether an engine keeps to the line protocol, rule by rule.

``run_compliance`` runs any engine through the checks, ``report_lines`` says what came of
them; ``add_parser`` and ``run`` are the shell's command.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cirulla_ai.commands.compliance import add_parser, run

if TYPE_CHECKING:
    from cirulla_ai.compliance.report import report_lines
    from cirulla_ai.compliance.runner import CHECKS, Finding, run_compliance

__all__ = ["CHECKS", "Finding", "add_parser", "report_lines", "run", "run_compliance"]


def __getattr__(name: str) -> Any:
    # Only when asked for: asyncio would double the time that the shell's command takes to
    # start, and an engine is started often.
    if name in ("CHECKS", "Finding", "run_compliance"):
        return getattr(import_module("cirulla_ai.compliance.runner"), name)
    if name == "report_lines":
        return getattr(import_module("cirulla_ai.compliance.report"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
