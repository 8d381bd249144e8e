"""A game in the terminal: by a script, and through pipes as from the shell."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from support.engines import REAL, fake
from support.tables import RULES

from cirulla_ai import Knowledge, State
from cirulla_ai.look import LANGUAGES
from cirulla_ai.play import Game, Seat, level_seat
from cirulla_ai.terminal import Session

START = State.parse(
    "rules=cirulla dealer=1 hands=3C4D7H/2S3SKC table=AS5D6CKD "
    "stock=AHADAC2H2D2C3H3D4H4C4S5H5C5S6H6D6S7D7C7SJHJDJCJSQHQDQCQSKHKS")


def session(
    folder: Path, game: Game, answers: Iterator[str | None], language: str = "en",
    encoding: str = "utf-8",
) -> tuple[Session, list[str]]:
    """A session that reads these answers, and what it writes."""
    said: list[str] = []

    def read(prompt: str) -> str | None:
        said.append(prompt)
        return next(answers, None)

    return Session(game, language=language, read=read, write=said.append,
                   file=folder / "game.json", encoding=encoding), said


def talk(folder: Path, *answers: str, language: str = "en", encoding: str = "utf-8",
         game: Game | None = None) -> tuple[Session, str]:
    """A session to the end of these answers, and all that it wrote."""
    found, said = session(folder, game or Game(start=START, seats=(Seat(), level_seat(3)), seed=1),
                          iter(answers), language, encoding)
    found.run()
    return found, "\n".join(said)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", RULES)
def test_a_match_in_every_preset(tmp_path: Path, rules: str, language: str) -> None:
    text = rules if "target" in rules else f"{rules} target=4"
    random = Random(rules)
    players = Game(text).rules.players
    game = Game(text, (Seat(), *[level_seat(0)] * (players - 1)), seed=5)

    def answers() -> Iterator[str | None]:
        while True:
            view = game.view(0)
            if view.is_turn:
                if random.random() < 0.05:
                    yield random.choice(("nonsense", "999", "0", "log", "punti", "?", "", "table"))
                legal = view.state.legal_actions()
                number = random.randrange(len(legal))
                # By number, or as it is written.
                yield random.choice((str(number + 1), str(legal[number]).lower()))
            else:
                yield ""

    found, said = session(tmp_path, game, answers(), language)
    found.run()
    assert game.stage == "over"
    text = "\n".join(said)
    assert "{" not in text
    assert ("Match" if language == "en" else "Partita") in text
    assert Game.from_text((tmp_path / "game.json").read_text("utf-8")) == game


@pytest.mark.parametrize("rules", RULES)
def test_what_is_written_does_not_depend_on_hidden_cards(tmp_path: Path, rules: str) -> None:
    """To the first play of another: whatever is asked."""
    start = Game(rules, dealer=Game(rules).rules.players - 1, seed=7).history.start
    # Why takes its time.
    asked = ("hint", "log", "score", "table", "?", "undo", *["why"] * (rules in RULES[:2]))
    written = set()
    for world in (start, *(Knowledge(start, 0).draw(seed) for seed in range(3))):
        seats = (Seat(), *[level_seat(0)] * (start.rules.players - 1))
        written.add(talk(tmp_path, *asked, game=Game(start=world, seats=seats, seed=1))[1])
    assert len(written) == 1


def test_the_table_is_shown_and_what_was_played_is_said(tmp_path: Path) -> None:
    found, text = talk(tmp_path, "2", "1", "4dxaskd")
    assert "Table: A♠ 5♦ 6♣ K♦" in text
    assert "Hand: 3♣ 4♦ 7♥" in text
    assert "   2  knocks with 3♣ 4♦ 7♥ (7♥ as 2): 3 points" in text
    assert "Level 3" not in text
    assert "level 3: 3 hidden cards" in text
    assert ("You knocked with the three of clubs, the four of diamonds and the seven of hearts, "
            "the seven of hearts standing for 2: 3 points.") in text
    assert "Saved: " in text
    # The other's cards are nowhere in what was said before they were played.
    before = text.partition("level 3 ")[0]
    assert not any(card in before for card in ("2♠", "3♠ 5", "K♣"))
    assert found.game.history.words[0] == "!3C4D7H=2"


def test_the_dealers_bonus_is_said(tmp_path: Path) -> None:
    # Fifteen on the first table: one point to seat 1's side.
    start = State.parse(
        "rules=cirulla dealer=1 hands=AH2C3C/KHKCKS table=- taken=-/2H2DACJS scopa=0/1 last=1 "
        "stock=ADAS2S3H3D3S4H4D4C4S5H5D5C5S6H6D6C6S7H7D7C7SJHJDJCQHQDQCQSKD")
    _, text = talk(tmp_path, game=Game(start=start, seats=(Seat(), level_seat(3)), seed=1))
    assert "The first table is good: 1 point to the dealer's side." in text
    _, text = talk(tmp_path)
    assert "The first table is good" not in text


def test_italian(tmp_path: Path) -> None:
    _, text = talk(tmp_path, "2", "aiuto", "maestro sì 0,5", "punti", "esci", language="it")
    assert "Tavola: A♠ 5♦ 6♣ K♦" in text
    assert "Tocca a te:" in text
    assert "Hai bussato con il tre di fiori" in text
    assert "3 punti." in text
    assert "Il maestro parla da 0,5 punti in su." in text
    assert "Salvata: " in text


def test_advice(tmp_path: Path) -> None:
    found, text = talk(tmp_path, "hint", "why", "why 3", "why 99", "coach on", "3CxAS5D6C", "why",
                       "coach 5", "coach off", "coach x", "quit")
    # As the README's search has it: claim first.
    assert "Hint: knocks with 3♣ 4♦ 7♥ (7♥ as 1), +" in text
    assert "3♣ takes A♠ 5♦ 6♣: " in text
    assert "less than knocks with" in text
    assert "Coach: 3♣ takes A♠ 5♦ 6♣" in text
    assert "(blunder)" in text
    assert "Why: " in text
    assert "undo takes it back." in text
    assert "The coach speaks up from 5 points on." in text
    assert "The coach is silent." in text
    assert "That can't be done: 'x'" in text
    assert "99 is none of the plays" in text
    comment = found.game.record_for(0)[0].plies[0].comment
    assert comment is not None
    assert comment.text == "hint: !3C4D7H=1"


def test_undo_is_noted(tmp_path: Path) -> None:
    found, text = talk(tmp_path, "undo", "3CxAS5D6C", "undo", "1", "quit")
    assert "That can't be done: seat 0 has done nothing" in text
    assert "Taken back; the record says so." in text
    record = found.game.record_for(0)[0]
    assert record.tags["TakenBack"] == "1"
    assert record.plies[0].word == "!3C4D7H=1"
    assert record.plies[0].comment is not None
    assert "took back 0:3CxAS5D6C" in record.plies[0].comment.text


def test_what_can_not_be_shown_is_written_plainly(tmp_path: Path) -> None:
    _, text = talk(tmp_path, "?", "hint", "quit", language="it", encoding="ascii")
    shown = text.replace(str(tmp_path), "")
    assert shown.isascii()
    assert "Tavola: AS 5D 6C KD" in shown


@pytest.mark.parametrize("line", ["save /no/such/folder/x", "save \0", "salva /no/such/folder/x"])
def test_a_copy_that_can_not_be_written_is_said(tmp_path: Path, line: str) -> None:
    _, text = talk(tmp_path, line, "quit")
    assert "That can't be done: " in text


def test_a_copy(tmp_path: Path) -> None:
    found, _ = talk(tmp_path, "1", f"save {tmp_path / 'a copy.json'}", "1")
    copy = Game.from_text((tmp_path / "a copy.json").read_text("utf-8"))
    assert copy.history.words == found.game.history.words[:len(copy.history.words)]


def test_a_program_that_fails_can_be_tried_again(tmp_path: Path) -> None:
    program = Seat("B", f"cmd={shlex.join(fake('crash_search'))},nodes=10")
    game = Game(start=START, seats=(Seat(), program), seed=1)
    found, text = talk(tmp_path, "4DxASKD", "", "log", "quit", game=game)
    assert text.count("Press Enter to try again, or type quit.") == 3
    assert found.game.turn == 1
    assert "Saved: " in text


# --- through pipes ----------------------------------------------------------------------

def piped(folder: Path, text: str | bytes, *words: str, **env: str) -> tuple[int, str, str]:
    """``cirulla play`` with this input: its exit code, output and errors."""
    done = subprocess.run(
        [sys.executable, "-m", "cirulla_ai", "play", *words], cwd=folder, check=False, timeout=120,
        input=text.encode() if isinstance(text, str) else text, capture_output=True,
        env={**os.environ, "CIRULLA_DATA": str(folder / "data"), "PYTHONUTF8": "1", "LANG": "C",
             **env})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("rules", ["cirulla", "scopone", "ciapano", "cirulla-coppie"])
def test_a_pipe_plays_a_match(tmp_path: Path, rules: str) -> None:
    # A number where there is a choice, an empty line where the next smazzata is dealt.
    code, out, err = piped(tmp_path, "1\n\n" * 400, "--rules", f"{rules} target=4", "--level", "0",
                           "--seed", "3")
    assert (code, err) == (0, "")
    assert "The match is over" in out


def test_the_end_of_input_keeps_the_game_and_it_is_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    code, out, err = piped(tmp_path, "1\n", "--seed", "3", "--level", "0", "--file", "game.json")
    assert (code, err) == (0, "")
    assert "cirulla play --file game.json" in out
    first = Game.from_text(file.read_text("utf-8"))
    assert first.history.words
    code, out, _ = piped(tmp_path, "1\n", "--file", "game.json")
    assert code == 0
    second = Game.from_text(file.read_text("utf-8"))
    assert second.history.words[:len(first.history.words)] == first.history.words
    assert len(second.history.words) > len(first.history.words)
    # The same deals and engines as if it had never been left.
    code, _, _ = piped(tmp_path, "1\n1\n", "--seed", "3", "--level", "0", "--file", "other.json")
    assert Game.from_text((tmp_path / "other.json").read_text("utf-8")).history == second.history


def test_the_last_game_is_gone_on_with(tmp_path: Path) -> None:
    code, _, err = piped(tmp_path, "", "--resume")
    assert code == 2
    assert "no game was left" in err
    for rules in ("scopa", "scopone"):
        assert piped(tmp_path, "1\n", "--rules", rules)[0] == 0
    files = sorted((tmp_path / "data" / "play").glob("*.json"))
    assert len(files) == 2
    code, out, _ = piped(tmp_path, "", "--resume")
    assert code == 0
    assert str(files[1]) in out
    assert "scopone" in out
    assert sorted((tmp_path / "data" / "play").glob("*.json")) == files


@pytest.mark.parametrize("text", [
    b"\xff\xfe\x00\n\x80\n1\n", b"\0\0\n" * 5, b"x" * 100_000 + b"\n",
    "①\n٣\n+1\n-1\n1e0\n".encode(),
    b"@3C\n>7H\n>?\npass\n!\n!3C4D7H=99\n", b"why\nundo\nsave\nlog\nscore\nhint\nwhy\n" * 2,
    b"\r\n1\r\n",
])
def test_nonsense_is_answered(tmp_path: Path, text: bytes) -> None:
    code, out, err = piped(tmp_path, text, "--seed", "3", "--level", "0")
    assert (code, err) == (0, "")
    assert "Saved: " in out


@pytest.mark.parametrize(("words", "says"), [
    (["--rules", "nonsense"], "nonsense"), (["--rules", "cirulla players=5"], "players=5"),
    (["--seat", "2"], "--seat 2: cirulla has the seats 0 … 1"), (["--level", "21"], "0 … 20"),
    (["--seed", "-1"], "--seed"), (["--lang", "fr"], "--lang"), (["--engine", "nobody"], "nobody"),
    (["--engine", "player=cheat"], "sees all cards"),
    (["--rules", "ciapano", "--engine", "player=greedy"], "does not play ciapano"),
    (["--file", "bad.json"], "bad.json: no saved game"),
    (["--file", "scopa.json", "--rules", "scopone"], "needs another --file"),
])
def test_a_wrong_use_is_said_in_a_line(tmp_path: Path, words: list[str], says: str) -> None:
    (tmp_path / "bad.json").write_text("{", "utf-8")
    (tmp_path / "scopa.json").write_text(Game("scopa").to_text(), "utf-8")
    code, out, err = piped(tmp_path, "1\n", *words)
    assert code == 2
    assert says in err
    assert "Traceback" not in err
    assert not out or "went on" in out or "On with the game" in out


def test_programs_sit_down(tmp_path: Path) -> None:
    command = f"name=B,cmd='{' '.join(REAL)}',nodes=20"
    code, out, err = piped(tmp_path, "1\n1\n", "--engine", command, "--seed", "3")
    assert (code, err) == (0, "")
    assert "B: 3 hidden cards" in out
    saved = json.loads(next((tmp_path / "data" / "play").glob("*.json")).read_text("utf-8"))
    assert [seat["name"] for seat in saved["seats"]] == ["", "B"]


def test_italian_where_the_system_speaks_it(tmp_path: Path) -> None:
    read: Callable[..., tuple[int, str, str]] = piped
    assert "Tocca a te" in read(tmp_path, "", "--seed", "3", LANG="it_IT.UTF-8", LC_ALL="")[1]
    assert "You are to play" in read(tmp_path, "", "--seed", "3", LANG="C", LC_ALL="")[1]
