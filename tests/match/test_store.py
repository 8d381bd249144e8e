"""The store: what was added is there again, whatever happened to the file's end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cirulla_ai.match.store import Store, StoreError

HEADER = {"rules": "rules=cirulla", "seed": 1}


def result(index: int) -> dict[str, Any]:
    return {"index": index, "games": [{"seats": [0, 1], "points": [index, 2.5]}]}


def test_what_is_added_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Store(path, HEADER) as store:
        for index in (3, 0, 7):
            store.add(result(index))
        store.add({"index": 3, "games": []})
    with Store(path, HEADER) as store:
        assert store.places() == {0, 3, 7}
        assert list(store) == [result(0), result(3), result(7)]
        assert 3 in store
        assert 4 not in store
        assert len(store) == 3


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_last_line_is_cut_off(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "r.jsonl"
    with Store(path, HEADER) as store:
        for index in range(4):
            store.add(result(index))
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    with Store(path, HEADER) as store:
        lost = 4 - len(store)
        assert lost == len(whole.splitlines()) - len(whole[:-cut].split(b"\n")) + 1
        for index in range(4):
            store.add(result(index))
    assert path.read_bytes() == whole


def test_a_header_that_was_never_finished_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'{"rules":"rules=ci')
    with Store(path, HEADER) as store:
        assert len(store) == 0
        store.add(result(0))
    with Store(path, HEADER) as store:
        assert len(store) == 1


@pytest.mark.parametrize("wreck", ["delete", "garbage", "stale"])
def test_the_index_is_made_again(tmp_path: Path, wreck: str) -> None:
    path = tmp_path / "r.jsonl"
    index = tmp_path / "r.jsonl.sqlite"
    with Store(path, HEADER) as store:
        store.add(result(0))
    old = index.read_bytes()
    with Store(path, HEADER) as store:
        store.add(result(1))
    if wreck == "delete":
        index.unlink()
    elif wreck == "stale":
        index.write_bytes(old)
    else:
        index.write_bytes(b"this is no database" * 100)
    with Store(path, HEADER) as store:
        assert list(store) == [result(0), result(1)]


def test_another_match_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Store(path, HEADER) as store:
        store.add(result(0))
    before = path.read_bytes()
    with pytest.raises(StoreError, match="different are: seed"):
        Store(path, {**HEADER, "seed": 2})
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", [
    b"hello\n", b"[1]\n", b"\xff\xfe\n", b"notes without a line's end", b'{"version":1}',
])
def test_another_kind_of_file_is_refused_and_kept(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(text)
    with pytest.raises(StoreError):
        Store(path, HEADER)
    assert path.read_bytes() == text
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("line", [
    b'{"index":0}', b'{"index":0,"games":[]}', b'{"games":[1]}', b'[]',
    b'{"index":99999999999999999999,"games":[1]}',
])
def test_a_line_that_is_no_deal_set_is_refused_and_kept(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "r.jsonl"
    with Store(path, HEADER) as store:
        store.add(result(0))
    whole = path.read_bytes() + line + b"\n"
    path.write_bytes(whole)
    with pytest.raises(StoreError, match="not a deal set"):
        Store(path, HEADER)
    assert path.read_bytes() == whole


def test_two_runs_at_once_are_one_too_many(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Store(path, HEADER) as store:
        store.add(result(0))
        with pytest.raises(StoreError, match="another run is at work on it"):
            Store(path, HEADER)
        store.add(result(1))
    with Store(path, HEADER) as store:
        assert store.places() == {0, 1}
