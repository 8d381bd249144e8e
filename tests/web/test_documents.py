"""What the documents show of the API runs as it stands there."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from pathlib import Path

import pytest
from support.web import serving

PAGE = Path(__file__).parents[2] / "docs" / "embedding.md"


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("bash")), reason="curl is not here")
def test_a_game_from_a_shell(tmp_path: Path) -> None:
    if not PAGE.is_file():
        pytest.skip("the documents are not here")
    blocks = re.findall("```sh\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    script, = (block for block in blocks if "say()" in block)

    async def work() -> None:
        async with serving(tmp_path) as (_, owner):
            assert owner.token is not None
            process = await asyncio.create_subprocess_exec(
                "bash", "-eu", "-o", "pipefail", "-c", script, cwd=tmp_path,
                env={**os.environ, "ADDRESS": owner.address, "TOKEN": owner.token},
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
            out, err = await process.communicate()
            assert process.returncode == 0, (out, err)
            text = out.decode()
        # A view, a hint, a judgement, a record, events, an analysis: each says what it should.
        for part in ('"stage":"playing"', '"pv":[', '"class":"', "[Rules ", "event: view",
                     "event: analysis", "event: end"):
            assert part in text

    asyncio.run(work())
