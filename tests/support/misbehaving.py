"""The real engine with one thing wrong: ``python misbehaving.py FAULT``.

Lines go through here both ways.  A fault is a function of ``Relay`` that changes what the
engine is sent (``to_…``), what it says (``from_…``), or how it ends (``end_…``).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from typing import NoReturn


class Relay:
    def __init__(self, fault: str) -> None:
        name = fault.replace("-", "_")
        nothing = lambda line: [line]  # noqa: E731
        self.to = getattr(self, f"to_{name}", nothing)
        self.back = getattr(self, f"from_{name}", nothing)
        self.end = getattr(self, f"end_{name}", lambda how: None)
        if fault == "banner":
            self.say("Welcome to the table")
        self.last: list[str] = [""]
        self.searching = False
        self.held: list[str] = []
        self.engine = subprocess.Popen(
            [sys.executable, "-m", "cirulla_ai"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, encoding="latin-1")
        assert self.engine.stdin
        assert self.engine.stdout
        self.stdin, self.stdout = self.engine.stdin, self.engine.stdout

    def run(self) -> None:
        thread = threading.Thread(target=self.read, daemon=True)
        thread.start()
        how = "eof"
        for raw in sys.stdin.buffer:
            line = raw.decode("latin-1").rstrip("\n")
            words = line.split() or [""]
            if words[0] not in ("isready", ""):
                self.last = words
            for sent in self.to(line):
                if words[0] == "go":
                    self.searching = True
                self.send(sent)
            if words[0] == "quit":
                how = "quit"
                break
        self.end(how)
        self.stdin.close()
        thread.join()
        self.leave(self.engine.wait())

    def read(self) -> None:
        for raw in self.stdout:
            line = raw.rstrip("\n")
            if line.startswith("bestmove"):
                self.searching = False
            for said in self.back(line):
                self.say(said)
            if not self.searching and self.held:
                for held in self.held:
                    self.send(held)
                self.held = []

    def send(self, line: str) -> None:
        try:
            self.stdin.write(line + "\n")
            self.stdin.flush()
        except OSError:
            pass

    def say(self, line: str) -> None:
        try:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
        except OSError:
            if sys.argv[1] == "complains":
                print("nobody listens", file=sys.stderr)
            self.leave(0)

    def leave(self, code: int) -> NoReturn:
        if hasattr(self, "engine"):
            self.engine.kill()
            self.engine.wait()
        os._exit(code)

    # --- talking --------------------------------------------------------------------------

    def from_no_author(self, line: str) -> list[str]:
        return [] if line.startswith("id author") else [line]

    def from_no_uciok(self, line: str) -> list[str]:
        return [] if line == "uciok" else [line]

    def from_chats_at_uci(self, line: str) -> list[str]:
        return ["How nice of you to ask", line] if line == "uciok" else [line]

    def from_bad_default(self, line: str) -> list[str]:
        return [re.sub(r"(name Hash .* default) \d+", r"\1 0", line)]

    def from_option_twice(self, line: str) -> list[str]:
        return [line] * (2 if line.startswith("option name Threads") else 1)

    def from_not_ready(self, line: str) -> list[str]:
        return [] if line == "readyok" else [line]

    def from_ready_twice(self, line: str) -> list[str]:
        return [line, line] if line == "readyok" else [line]

    def to_no_crlf(self, line: str) -> list[str]:
        return [] if line.endswith("\r") else [line]

    def from_silent(self, line: str) -> list[str]:
        return [] if line.startswith("info string unknown") else [line]

    def to_stop_answers(self, line: str) -> list[str]:
        if line == "stop" and not self.searching:
            self.say("bestmove (none)")
        return [line]

    def to_case_matters(self, line: str) -> list[str]:
        if re.match("setoption name [a-z]", line):
            self.say("info string error: there is no such option")
            return []
        return [line]

    def from_takes_anything(self, line: str) -> list[str]:
        return [] if line.startswith("info string error") else [line]

    def to_forgets(self, line: str) -> list[str]:
        return ["position startpos seed 5", line] if line.startswith("position") else [line]

    def to_long_lines(self, line: str) -> list[str]:
        return self.leave(9) if len(line) > 5000 else [line]

    def to_noise(self, line: str) -> list[str]:
        return self.leave(9) if not line.isascii() else [line]

    def from_no_empty_line(self, line: str) -> list[str]:
        return [line] if line else []

    # --- the game -------------------------------------------------------------------------

    def after(self, word: str, line: str, old: str, new: str) -> list[str]:
        return [re.sub(old, new, line) if self.last[0] == word else line]

    def from_wrong_state(self, line: str) -> list[str]:
        return self.after("d", line, r"misdeals=\d+", "misdeals=9")

    def to_loses_moves(self, line: str) -> list[str]:
        return [re.sub(r"( moves .*) \S+$", r"\1", line)]

    def to_random_deals(self, line: str) -> list[str]:
        return [re.sub("startpos seed .*", f"startpos seed {time.time_ns()}", line)]

    def from_wrong_legal(self, line: str) -> list[str]:
        return self.after("legal", line, r"(legal .*) \S+$", r"\1")

    def from_leaky_view(self, line: str) -> list[str]:
        return self.after("view", line, r"\?1", "KS")

    def from_wrong_score(self, line: str) -> list[str]:
        return self.after("score", line, r"cards 1", "cards 0")

    def from_wrong_perft(self, line: str) -> list[str]:
        return self.after("perft", line, r"(searched:) .*", r"\1 7")

    # --- the search -----------------------------------------------------------------------

    def from_illegal(self, line: str) -> list[str]:
        return ["bestmove KSxKC"] if line.startswith("bestmove") else [line]

    def from_no_info(self, line: str) -> list[str]:
        return [] if line.startswith("info depth") else [line]

    def to_takes_its_time(self, line: str) -> list[str]:
        return [re.sub("movetime 300", "movetime 2000", line)]

    def to_never_infinite(self, line: str) -> list[str]:
        return [re.sub("infinite", "nodes 100", line)]

    def to_never_stops(self, line: str) -> list[str]:
        return [] if line == "stop" else [line]

    def from_quiet_search(self, line: str) -> list[str]:
        return [] if line.startswith("info depth") and self.last[-1] == "infinite" else [line]

    def to_one_at_a_time(self, line: str) -> list[str]:
        if self.searching and line not in ("stop", "quit"):
            self.held.append(line)
            return []
        return [line]

    def to_easily_disturbed(self, line: str) -> list[str]:
        return ["stop", line] if line == "position nowhere" else [line]

    def from_two_answers(self, line: str) -> list[str]:
        return [line, line] if line.startswith("bestmove") else [line]

    def to_one_go(self, line: str) -> list[str]:
        return [] if line.startswith("go") and self.searching else [line]

    def from_no_answer(self, line: str) -> list[str]:
        return [] if line == "bestmove (none)" else [line]

    def to_no_searchmoves(self, line: str) -> list[str]:
        return [re.sub("searchmoves .* nodes", "nodes", line)]

    def from_too_many_lines(self, line: str) -> list[str]:
        return [line, line.replace("multipv 1", "multipv 7")] if " multipv 1 " in line else [line]

    def to_unseeded(self, line: str) -> list[str]:
        return [] if line.startswith("setoption name Seed") else [line]

    def to_peeks(self, line: str) -> list[str]:
        if line.startswith("position state") and "viewer=-" in line:
            return [f"setoption name Seed value {hash(line) & 0xFFFF | 1}", line]
        return [line]

    # --- leaving --------------------------------------------------------------------------

    def end_exit_code(self, how: str) -> None:
        if how == "quit":
            self.leave(3)

    def end_lingers(self, how: str) -> None:
        time.sleep(60)

    def end_leaves_late(self, how: str) -> None:
        time.sleep(3)

    def from_leaves_silently(self, line: str) -> list[str]:
        # On a busy machine a short search is done before the end is seen.
        return [] if line.startswith("bestmove") else [line]

    def end_leaves_silently(self, how: str) -> None:
        self.leave(0)


if __name__ == "__main__":
    Relay(sys.argv[1]).run()
