"""What runs on GitHub's machines: nothing that can change unseen, and one job that publishes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted(ROOT.glob(".github/workflows/*.yml"))

pytestmark = pytest.mark.skipif(not WORKFLOWS, reason="a source distribution has none")


def test_actions_are_pinned_by_commit() -> None:
    used = [line.strip() for path in WORKFLOWS
            for line in re.findall(r"\buses:(.*)", path.read_text())]
    assert used
    for action in used:
        assert action.startswith("./") or re.fullmatch(
            r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+(\.\d+){2}", action), action
    # One version of each, everywhere.
    assert len({action.partition("@")[0] for action in used}) == len(set(used))


def test_only_the_job_that_publishes_may_identify_itself() -> None:
    for path in WORKFLOWS:
        text = path.read_text()
        assert "secrets." not in text
        assert re.search(r"^permissions:\n  contents: read\n", text, re.MULTILINE), path
        jobs = re.split(r"^  (?=[\w-]+:\n)", text.partition("\njobs:\n")[2], flags=re.MULTILINE)
        writing = [job for job in jobs if "write" in job.partition("steps:")[0]]
        if path.name != "release.yml":
            assert not writing
            continue
        publish, = writing
        assert publish.startswith("publish:") and "id-token: write" in publish
        # It runs nothing of the project: no checkout and no command.
        assert "run:" not in publish and "actions/checkout" not in publish


def test_the_tests_that_are_named_are_there() -> None:
    named = {name for path in WORKFLOWS
             for name in re.findall(r"\b(?:tests|tools)/[\w/.]+", path.read_text())}
    assert "tests/test_signature.py" in named
    assert not {name for name in named if not (ROOT / name).exists()}
