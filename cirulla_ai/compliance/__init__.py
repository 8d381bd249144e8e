"""Whether an engine keeps to the line protocol, rule by rule.

``run_compliance`` runs any engine through the checks, ``report_lines`` says what came of them.
"""

from cirulla_ai.compliance.report import report_lines
from cirulla_ai.compliance.runner import CHECKS, Finding, run_compliance

__all__ = ["CHECKS", "Finding", "report_lines", "run_compliance"]
