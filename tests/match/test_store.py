"""The store: what was added is there again, whatever happened to the file's end."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cirulla_ai.tournament.store import Store
from cirulla_ai.workers.journal import JournalError

HEADER = {"rules": "rules=cirulla", "seed": 1, "engines": [{"name": "A"}, {"name": "B"}]}


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
    path.write_bytes(b'{"engines":[{"na')
    with Store(path, HEADER) as store:
        assert len(store) == 0
        store.add(result(0))
    with Store(path, HEADER) as store:
        assert len(store) == 1


def test_what_lies_beside_it_is_nothing_to_it(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    beside = tmp_path / "r.jsonl.sqlite"
    beside.write_bytes(b"this is no database")
    with Store(path, HEADER) as store:
        store.add(result(0))
    assert beside.read_bytes() == b"this is no database"
    assert sorted(tmp_path.iterdir()) == [path, beside]


@pytest.mark.parametrize("text", [
    lambda text: b"\xef\xbb\xbf" + text,
    lambda text: text.replace(b"\n", b"\r\n"),
    lambda text: b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"),
    lambda text: text.replace(b"\n", b"\n\n") + b" \r\n",
], ids=["mark", "crlf", "both", "blank"])
def test_what_editors_make_of_it_is_read(
    tmp_path: Path, text: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "r.jsonl"
    with Store(path, HEADER) as store:
        for index in (2, 0):
            store.add(result(index))
    path.write_bytes(text(path.read_bytes()))
    with Store(path, HEADER) as store:
        assert list(store) == [result(0), result(2)]
        store.add(result(1))
    with Store(path, HEADER) as store:
        assert list(store) == [result(0), result(1), result(2)]


def test_lines_are_read_in_the_schedule_s_order_at_the_same_time_as_others(tmp_path: Path) -> None:
    with Store(tmp_path / "r.jsonl", HEADER) as store:
        for index in (5, 1, 3):
            store.add(result(index))
        for one, other in zip(store, store, strict=True):
            assert one == other
            store.add(result(7))
        assert [line["index"] for line in store] == [1, 3, 5, 7]


def test_another_match_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Store(path, HEADER) as store:
        store.add(result(0))
    before = path.read_bytes()
    with pytest.raises(JournalError, match="different are: seed"):
        Store(path, {**HEADER, "seed": 2})
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", [
    b"hello\n", b"[1]\n", b"\xff\xfe\n", b"notes without a line's end", b'{"version":1}',
])
def test_another_kind_of_file_is_refused_and_kept(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(text)
    with pytest.raises(JournalError):
        Store(path, HEADER)
    assert path.read_bytes() == text
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("line", [
    b'{"index":0}', b'{"index":0,"games":[]}', b'{"games":[1]}', b'[]',
    b'{"index":99999999999999999999,"games":[{"seats":[0,1],"points":[1,2]}]}',
    b'{"index":-1,"games":[{"seats":[0,1],"points":[1,2]}]}',
    b'{"index":1.5,"games":[{"seats":[0,1],"points":[1,2]}]}',
    b'{"index":1,"games":[{"seats":[0,1],"points":[1,NaN]}]}',
    b'{"index":1,"games":[{"seats":[0,1],"points":[1,1e300]}]}',
    b'{"index":1,"games":[{"seats":[0,"1"],"points":[1,2]}]}',
    b'{"index":1,"games":[{"seats":[0,2],"points":[1,2]}]}',
    b'{"index":1,"games":[{"seats":[0,1],"points":"12"}]}',
    b'{"index":1,"games":[{"seats":[0,1],"points":[1,2],"forfeits":[{"seat":2}]}]}',
    b"[" * 100_000,
])
def test_a_line_that_is_no_deal_set_is_refused_and_kept(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "r.jsonl"
    with Store(path, HEADER) as store:
        store.add(result(0))
    whole = path.read_bytes() + line + b"\n"
    path.write_bytes(whole)
    with pytest.raises(JournalError, match="not a deal set"):
        Store(path, HEADER)
    assert path.read_bytes() == whole


def test_two_runs_at_once_are_one_too_many(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Store(path, HEADER) as store:
        store.add(result(0))
        with pytest.raises(JournalError, match="another run is at work on it"):
            Store(path, HEADER)
        store.add(result(1))
    with Store(path, HEADER) as store:
        assert store.places() == {0, 1}


@pytest.mark.parametrize("name", ["symbolic", "hard", "other folder"])
def test_another_name_of_the_file_is_the_same_file(tmp_path: Path, name: str) -> None:
    path, other = tmp_path / "r.jsonl", tmp_path / "s.jsonl"
    with Store(path, HEADER) as store:
        store.add(result(0))
        if name == "symbolic":
            other.symlink_to(path)
        elif name == "hard":
            other.hardlink_to(path)
        else:
            (tmp_path / "folder").symlink_to(tmp_path)
            other = tmp_path / "folder" / path.name
        with pytest.raises(JournalError, match="another run is at work on it"):
            Store(other, HEADER)


@pytest.mark.parametrize("change", ["deleted", "replaced"])
def test_a_file_that_goes_during_a_run_is_noticed(tmp_path: Path, change: str) -> None:
    path = tmp_path / "r.jsonl"
    with Store(path, HEADER) as store:
        store.add(result(0))
        text = path.read_bytes()
        path.unlink()
        if change == "replaced":
            path.write_bytes(text)
        with pytest.raises(JournalError, match="deleted or replaced"):
            store.add(result(1))
        # Whoever begins anew is not kept from it, nor is what it does spoilt.
        with Store(path, HEADER) as again:
            again.add(result(2))
            with pytest.raises(JournalError, match="deleted or replaced"):
                store.add(result(1))
            assert again.places() == ({0, 2} if change == "replaced" else {2})


def test_a_file_that_others_write_to_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Store(path, HEADER) as store:
        store.add(result(0))
        with path.open("ab") as file:
            file.write(b"a remark\n")
        with pytest.raises(JournalError, match="changed by something else"):
            store.add(result(1))


def test_a_file_that_is_deleted_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.jsonl"
    left = [True, True]

    def lock(descriptor: int) -> bool:
        if left:
            left.pop()
            path.unlink()
        return True

    monkeypatch.setattr("cirulla_ai.workers.journal.try_lock", lock)
    with Store(path, HEADER) as store:
        store.add(result(0))
    assert len(path.read_bytes().splitlines()) == 2


def test_where_there_are_no_locks_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cirulla_ai.workers.journal.try_lock", lambda descriptor: None)
    with Store(tmp_path / "r.jsonl", HEADER) as store:
        assert not store.is_locked
        store.add(result(0))
        assert list(store) == [result(0)]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG])
@pytest.mark.parametrize("call", ["write", "fsync"])
def test_what_the_disk_refuses_leaves_whole_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, call: str
) -> None:
    path = tmp_path / "r.jsonl"
    with Store(path, HEADER) as store:
        store.add(result(0))
        before = path.read_bytes()
        write = os.write

        def short(descriptor: int, data: bytes) -> int:
            if len(data) < 20:
                raise OSError(code, os.strerror(code))
            return write(descriptor, data[:-19])

        def refuse(descriptor: int) -> None:
            raise OSError(code, os.strerror(code))

        with monkeypatch.context() as patch:
            patch.setattr(os, call, short if call == "write" else refuse)
            with pytest.raises(JournalError) as caught:
                store.add(result(1))
        assert os.strerror(code) in str(caught.value) and "r.jsonl" in str(caught.value)
        assert path.read_bytes() == before
        assert 1 not in store
        store.add(result(1))
    with Store(path, HEADER) as store:
        assert list(store) == [result(0), result(1)]


def test_a_torn_line_that_can_not_be_cut_off_is_not_written_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.jsonl"
    with Store(path, HEADER) as store:
        store.add(result(0))
        write = os.write

        def short(descriptor: int, data: bytes) -> int:
            if len(data) < 20:
                raise OSError(errno.ENOSPC, "no space")
            return write(descriptor, data[:-19])

        def refuse(descriptor: int, size: int) -> None:
            raise OSError(errno.EIO, "no more")

        with monkeypatch.context() as patch:
            patch.setattr(os, "write", short)
            patch.setattr(os, "ftruncate", refuse)
            with pytest.raises(JournalError, match="no space"):
                store.add(result(1))
        with pytest.raises(JournalError, match="changed"):
            store.add(result(1))
    with Store(path, HEADER) as store:
        assert list(store) == [result(0)]


@pytest.mark.parametrize("what", ["folder", "pipe", "device", "no folder", "read-only"])
def test_what_is_no_file_is_refused(tmp_path: Path, what: str) -> None:
    path = tmp_path / "r.jsonl"
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "device":
        path = Path(os.devnull)
    elif what == "no folder":
        path = tmp_path / "no" / "r.jsonl"
    else:
        path.touch()
        path.chmod(0o400)
        if os.access(path, os.W_OK):
            pytest.skip("may write to everything")
    with pytest.raises(JournalError, match=path.name):
        Store(path, HEADER)


@pytest.mark.skipif(sys.platform != "linux", reason="where /proc says what is open")
def test_nothing_is_left_open(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    before = len(os.listdir("/proc/self/fd"))
    with Store(path, HEADER) as store:
        store.add(result(0))
        for _ in range(3):
            with pytest.raises(JournalError):
                Store(path, HEADER)
    for header in ({**HEADER, "seed": 2}, {**HEADER, "rules": ""}):
        with pytest.raises(JournalError):
            Store(path, header)
    assert len(os.listdir("/proc/self/fd")) == before
