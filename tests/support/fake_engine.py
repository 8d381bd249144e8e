"""An engine that behaves, or misbehaves in one way: ``python fake_engine.py MODE``.

It plays the first legal action of the one position of ``engines.py``, and imports next to
nothing, so that it starts at once.  The modes are the functions whose names begin with
``mode_``; each gets the words of a command before the good engine does and returns whether
it has dealt with them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

ACTION = "!3C4D7H=1"
GO_SECONDS = 0.8


class FakeEngine:
    def __init__(self, mode: str) -> None:
        self.special = getattr(self, "mode_" + mode.replace("-", "_"))
        self.position: list[str] = []
        self.options: dict[str, str] = {}
        self.searching = False

    def run(self) -> None:
        for line in sys.stdin:
            words = line.split()
            if words and not self.special(words[0], words):
                self.good(words[0], words)
        if self.searching:
            self.answer()
        self.special("EOF", [])

    # --- the good engine ------------------------------------------------------------------

    def good(self, word: str, words: list[str]) -> None:
        if word == "uci":
            say("id name Fake", "id author nobody at all",
                "option name Hash type spin default 16 min 1 max 1024",
                "option name MultiPV type spin default 1 min 1 max 5",
                "option name Skill Level type spin default 20 min 0 max 20",
                "option name Fair type check default true",
                "option name Style type combo default Solid var Solid var Very Risky",
                "option name Book File type string default <empty>",
                "option name Clear Hash type button",
                "uciok")
        elif word == "isready":
            say("readyok")
        elif word == "setoption":
            self.set(words)
        elif word == "position":
            self.position = words
        elif word == "go":
            if "infinite" in words:
                self.searching = True
                say(self.info())
            else:
                self.answer()
        elif word == "stop":
            if self.searching:
                self.answer()
        elif word == "quit":
            sys.exit(0)
        elif word not in ("ucinewgame",):
            say(f"info string unknown command: {' '.join(words)}")

    def set(self, words: list[str]) -> None:
        name, _, value = " ".join(words[2:]).partition(" value ")
        self.options[name] = value

    def info(self) -> str:
        return f"info depth 1 nodes 1 time 0 multipv 1 score cp 12 pv {ACTION}"

    def answer(self) -> None:
        self.searching = False
        # What was sent can be asked for, so that tests see it.
        say(f"info string {' '.join(self.position)}",
            f"info string options {sorted(self.options.items())}",
            self.info(), f"bestmove {ACTION}")

    # --- the modes ------------------------------------------------------------------------

    def mode_good(self, word: str, words: list[str]) -> bool:
        return False

    def mode_own_seeds(self, word: str, words: list[str]) -> bool:
        """Takes seeds of its own range alone, and says which it has."""
        if word == "uci":
            say("id name Fake", "option name Seed type spin default 150 min 100 max 200", "uciok")
            return True
        if word == "setoption" and not 100 <= int(words[-1]) <= 200:
            say(f"info string error: setoption: {words[-1]}")
        return word == "setoption" and not 100 <= int(words[-1]) <= 200

    def mode_no_seeds(self, word: str, words: list[str]) -> bool:
        """Announces seeds and takes none."""
        if word == "uci":
            say("id name Fake", "option name Seed type spin default 0 min 0 max 9", "uciok")
        if word == "setoption":
            say("info string error: setoption: no")
        return word in ("uci", "setoption")

    def mode_odd_seed(self, word: str, words: list[str]) -> bool:
        """Has a button of that name, which ends it."""
        if word == "uci":
            say("id name Fake", "option name Seed type button", "uciok")
        if word == "setoption":
            sys.exit(5)
        return word == "uci"

    def mode_crash_start(self, word: str, words: list[str]) -> bool:
        complain("first words")
        complain("no table to play on")
        sys.exit(3)

    def mode_crash_search(self, word: str, words: list[str]) -> bool:
        if word == "go":
            complain("the table has collapsed")
            os._exit(4)
        return False

    def mode_abort_search(self, word: str, words: list[str]) -> bool:
        if word == "go":
            os.abort()
        return False

    def mode_mute(self, word: str, words: list[str]) -> bool:
        return True

    def mode_stall(self, word: str, words: list[str]) -> bool:
        if word == "go":
            time.sleep(60)
        return False

    def mode_deaf(self, word: str, words: list[str]) -> bool:
        """A search that nothing ends; isready is answered."""
        return word in ("go", "stop")

    def mode_hangs(self, word: str, words: list[str]) -> bool:
        """No readyok any more."""
        if word == "isready":
            time.sleep(60)
        return False

    def mode_late(self, word: str, words: list[str]) -> bool:
        """The first search takes longer than it may, whatever it is told."""
        if word == "go" and not self.options.get("late"):
            self.options["late"] = "once"
            time.sleep(GO_SECONDS)
            say("info depth 1 multipv 1 score cp 999 pv KS", "bestmove KS ponder KD")
            return True
        return False

    def mode_late_ready(self, word: str, words: list[str]) -> bool:
        if word == "isready" and not self.options.get("late"):
            self.options["late"] = "once"
            time.sleep(GO_SECONDS)
        return False

    def mode_slow(self, word: str, words: list[str]) -> bool:
        """Slow, but never silent for long."""
        if word == "go":
            for _ in range(9):
                time.sleep(GO_SECONDS / 8)
                say(self.info())
        return False

    def mode_illegal(self, word: str, words: list[str]) -> bool:
        if word == "go":
            say("bestmove KSxKC")
        return word == "go"

    def mode_unreadable(self, word: str, words: list[str]) -> bool:
        if word == "go":
            say("bestmove e2e4")
        return word == "go"

    def mode_none(self, word: str, words: list[str]) -> bool:
        if word == "go":
            say("info string error: no idea", "bestmove (none)")
        return word == "go"

    def mode_empty_bestmove(self, word: str, words: list[str]) -> bool:
        if word == "go":
            say("bestmove")
        return word == "go"

    def mode_twice(self, word: str, words: list[str]) -> bool:
        if word == "go":
            say("bestmove KS")
            self.answer()
        return word == "go"

    def mode_garbage(self, word: str, words: list[str]) -> bool:
        sys.stdout.buffer.write(
            b"\xff\xfe\x00\x01 what\r\n\n\t \noption\noption name\nid\nbestmove\nreadyok\nuci ok\n"
            b"info\ninfo score\ninfo score cp\ninfo score cp x\ninfo depth \xff nodes 1e9 wdl 1 2\n"
            b"info depth 99999999999999999999999999 multipv -1 score cp 5 pv\n"
            b"info multipv 0 pv 7H 7H garbage\ninfo string\ninfo pv \xff\xff\n"
            if word != "isready" else b"\x80info\n")
        sys.stdout.flush()
        return False

    def mode_chatty(self, word: str, words: list[str]) -> bool:
        """Much more than anybody can want, then a good answer."""
        if word in ("uci", "go"):
            line = "info depth 3 nodes 5 multipv 1 score cp -1 currently thinking of much\n"
            for _ in range(5):
                sys.stdout.write(line * 1000)
                sys.stdout.write("info string " + "x" * (1 << 20) + "\n")
            sys.stdout.flush()
        return False

    def mode_flood(self, word: str, words: list[str]) -> bool:
        """Infos without end, and no answer."""
        while word == "go":
            sys.stdout.write("info depth 3 multipv 1 score cp -1\n" * 1000 + "x" * 100_000)
        return False

    def mode_stderr(self, word: str, words: list[str]) -> bool:
        for k in range(1000):
            complain(f"line {k} of a great many {'y' * 100}")
        return False

    def mode_exits_after(self, word: str, words: list[str]) -> bool:
        if word == "go":
            self.answer()
            sys.exit(0)
        return False

    def mode_unfinished(self, word: str, words: list[str]) -> bool:
        """The last line has no end."""
        if word == "go":
            sys.stdout.write(f"bestmove {ACTION}")
            sys.stdout.flush()
            os._exit(7)
        return False

    def mode_closes_output(self, word: str, words: list[str]) -> bool:
        if word == "go":
            os.close(1)
            time.sleep(60)
        return False

    def mode_stays(self, word: str, words: list[str]) -> bool:
        """Neither quit nor the end of its input makes it leave."""
        if word in ("quit", "EOF"):
            time.sleep(60)
        return False

    def mode_wrapper(self, word: str, words: list[str]) -> bool:
        """Something that it started holds its pipes and stays."""
        if word == "uci":
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
            say(f"id name {child.pid}", "uciok")
            return True
        return self.mode_stays(word, words)

    def mode_orphan(self, word: str, words: list[str]) -> bool:
        """It ends, and leaves its pipes to something that it started."""
        if word == "go":
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3)"])
            os._exit(5)
        return False

    def mode_refuses(self, word: str, words: list[str]) -> bool:
        if word == "position":
            say("info string error: rules: cirulla is not played here")
        return word == "position"

    def mode_refuses_options(self, word: str, words: list[str]) -> bool:
        if word == "setoption":
            say("info string error: Hash: not today")
        return word == "setoption"

    def mode_odd_options(self, word: str, words: list[str]) -> bool:
        if word == "uci":
            say("id name Odd", "option name Plain type spin default x min y max z",
                "option name  Two  Words type spin default 3 min 1 max 5",
                "option name Colour type rainbow default red",
                "option type spin", "option name", "option name Nothing",
                *[f"option name Many{k} type check" for k in range(2000)], "uciok")
        return word == "uci"


def say(*lines: str) -> None:
    sys.stdout.write("".join(line + "\n" for line in lines))
    sys.stdout.flush()


def complain(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    FakeEngine(sys.argv[1]).run()
