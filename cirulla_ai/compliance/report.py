"""What came of the checks, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from cirulla_ai.compliance.runner import CHECKS, Finding

__all__ = ["report_lines"]

COLOURS = {"pass": "32", "fail": "31", "skip": "33"}
MAX_LINE = 300


def report_lines(findings: Iterable[Finding], *, colour: bool = False) -> Iterator[str]:
    """A line a finding, with what was sent, expected and seen of failures; then the sums.

    ``colour`` uses a terminal's.
    """
    width = max(len(check.name) for check in CHECKS)
    counts: Counter[str] = Counter()
    for finding in findings:
        counts[finding.outcome] += 1
        outcome = finding.outcome
        if colour:
            outcome = f"\x1b[{COLOURS[outcome]}m{outcome}\x1b[0m"
        reason = f" ({finding.seen})" if finding.outcome == "skip" else ""
        yield f"{outcome}  {finding.check:{width}}  {finding.rule}{reason}"
        if finding.outcome == "fail":
            for title, lines in (("sent", finding.sent),
                                 ("expected", finding.expected.splitlines()),
                                 ("seen", finding.seen.splitlines())):
                for k, line in enumerate(lines):
                    text = line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]}…"
                    yield f"      {title if k == 0 else '':8}  {printable(text)}"
    yield (f"{counts['pass']} passed, {counts['fail']} failed, {counts['skip']} skipped")


def printable(text: str) -> str:
    """Text that can't play tricks on a terminal."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
