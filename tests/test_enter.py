"""Games from a real table: whole smazzate told as a person would, steps back, interruptions."""

from __future__ import annotations

import sys
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from support.command_line import cirulla
from support.spoken import say, spoken_card
from support.strategies import SEEDS

from cirulla_ai import PRESETS, Action, MisdealError, Rules, RulesError, State
from cirulla_ai.records import Record, read_records, write_record
from cirulla_ai.records.entry import UNSEEN_TAG, EntryError, GameEntry
from cirulla_ai.records.entry_file import EntryFile
from cirulla_ai.records.entry_words import EntryWords

FEW = max(settings().max_examples // 20, 2)
DECK = [rank + suit for rank in "A234567JQK" for suit in "HDCS"]
NAMES = ("Ada", "Bea di Voltri", "Carlo", "Dina")


# --- games that were played -----------------------------------------------------------

class Evening:
    """A smazzata that was played, and the misdeals before it."""

    def __init__(self, rules: str, random: Random) -> None:
        self.rules = Rules.parse(rules)
        players = self.rules.players
        self.dealer = random.randrange(players)
        scores = [random.randrange(min(self.rules.target, 30)) for _ in range(self.rules.sides)]
        self.misdealt: list[list[str]] = []
        while True:
            pack = self.shuffled(random)
            try:
                state = State.deal(self.rules, dealer=self.dealer, pack=pack, scores=scores,
                                   misdeals=len(self.misdealt))
                break
            except MisdealError:
                self.misdealt.append(self.table(pack))
        self.first_table = self.table(pack)
        start, actions = state, []
        while legal := state.legal_actions():
            actions.append(random.choice(legal))
            state = state.apply(actions[-1])
        self.record = Record.from_play(start, actions, names=NAMES[:players])

    def shuffled(self, random: Random) -> list[str]:
        """A pack in which the cards of each hand are in their order, as they are written."""
        pack = random.sample(DECK, 40)
        if not self.rules.rounds:
            return pack
        at, players = 0, self.rules.players
        for number, size in enumerate(self.rules.rounds):
            for k in range(players):
                hand = slice(at + k, at + players * size, players)
                pack[hand] = sorted(pack[hand], key=DECK.index)
            at += players * size + (0 if number else self.rules.table_size)
        return pack

    def table(self, pack: list[str]) -> list[str]:
        first = self.rules.players * self.rules.rounds[0] if self.rules.rounds else 40
        return pack[first:first + self.rules.table_size]


def answer_to(entry: GameEntry, evening: Evening, record: Record, random: Random) -> str:
    """What a person who saw the record would answer."""
    question = entry.question
    assert question
    start, sheet = record.start, entry.sheet
    ply = record.plies[len(sheet.plies)].word if len(sheet.plies) < len(record.plies) else ""
    if question.kind in ("play", "which"):
        action = Action(ply)
        if str(action) in question.options and (
            question.kind == "which" or random.random() < 0.4
        ):
            return str(question.options.index(str(action)) + 1)
        assert sheet.state
        return say(action, sheet.state, random)
    if question.kind == "hand":
        assert question.seat is not None
        if ply.startswith("@"):
            cards = [ply[at:at + 2] for at in range(1, len(ply), 2)]
        else:
            cards = list(start.play(*(one.word for one in sheet.plies)).hands[question.seat])
        return spoken(cards, random)
    if question.kind == "table":
        dealt = [*evening.misdealt, evening.first_table]
        return spoken(dealt[sheet.misdeals], random)
    rules = str(start.rules).removeprefix("rules=")
    return {
        "rules": rules, "names": ", ".join(filter(None, record.names)),
        "seat": random.choice(("all", "tutti")) if start.viewer is None else random.choice(
            (str(start.viewer), str(record.names[start.viewer]))),
        "dealer": random.choice((str(start.dealer), str(record.names[start.dealer]).upper())),
        "scores": "/".join(map(str, start.scores)), "next": "no",
    }[question.kind]


def spoken(cards: list[str], random: Random) -> str:
    cards = random.sample(cards, len(cards))
    return random.choice((" ", ", ", " e ")).join(spoken_card(card, random) for card in cards)


NONSENSE = ["boh", "8X", "99", "-1", "7H 7H 7H", "prende", "7H prende", "@", ">", "!", "{", "'",
            "a,b,c,d,e,f", "x" * 300, "²", "[Rules \"scopa\"]", "\x00", "con 7H",
            "settebello settebello"]


def tell(
    entry: GameEntry, evening: Evening, record: Record, random: Random, *, most: int = 10**6,
    astray: float = 0,
) -> list[str]:
    """The lines that a person types, who goes astray now and then; as many as ``most``."""
    lines: list[str] = []
    while entry.question and len(lines) < most:
        if random.random() < astray:
            line = random.choice(NONSENSE)
            sheet = entry.sheet
            refused = taken(entry, line)
            if refused and refused.key != "misdeal":
                assert entry.sheet == sheet
                lines.append(line)
                continue
            # It meant something here, then.
            entry.back()
        if random.random() < astray:
            for _ in range(random.randint(1, 6)):
                lines.append(random.choice(("back", "Indietro")))
                entry.back()
            continue
        lines.append(answer_to(entry, evening, record, random))
        refused = taken(entry, lines[-1])
        assert refused is None or refused.key == "misdeal", lines[-1]
    return lines


def taken(entry: GameEntry, line: str) -> EntryError | None:
    """What is wrong with an answer, None where it is taken."""
    try:
        entry.answer(line)
    except EntryError as error:
        return error
    return None


def run(folder: Path, lines: list[str], *words: str) -> str:
    """What ``cirulla enter`` writes when it is told these lines."""
    before, sys.stdin = sys.stdin, StringIO("".join(f"{line}\n" for line in lines))
    try:
        ended = cirulla(folder, "enter", *words)
    finally:
        sys.stdin = before
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


def check_same(told: Record, record: Record) -> None:
    """The record that was told is that which was played, as far as it can be known."""
    if UNSEEN_TAG in told.tags:
        # The cards of rounds that were never dealt are nobody's.
        unseen = int(told.tags[UNSEEN_TAG])
        assert told.start.stock and record.start.stock
        assert told.start.stock[:-unseen] == record.start.stock[:-unseen]
        assert record.final.is_over and record.final.stock_count >= unseen
        assert (told.plies, told.result) == (record.plies, record.result)
        assert told.names == record.names
    else:
        assert told == record
        assert write_record(told) == write_record(record)


START_LINES = ("cirulla", "Ada, Bea", "Ada", "bea", "12/7", "asso di picche 5d 6c kd", "3c 4♦ 7h")
KINDS = [(preset, whole) for preset in (*PRESETS, "cirulla players=3", "scopa players=4",
                                        "cirulla matta_memory=no claim=mandatory must_capture=no")
         for whole in (True, False)]


@pytest.mark.parametrize(("rules", "whole"), KINDS)
@settings(max_examples=FEW)
@given(seed=SEEDS)
def test_whole_smazzate_are_told(
    rules: str, whole: bool, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    random = Random(seed)
    evening = Evening(rules, random)
    record = evening.record if whole else evening.record.seen_by(
        random.randrange(evening.rules.players))
    lines = tell(GameEntry(), evening, record, random, astray=random.choice((0, 0, 0.1)))
    note("\n".join(lines))
    folder = tmp_path_factory.mktemp("told")
    run(folder, lines, "evening.txt", "--lang", random.choice(("en", "it")))
    told, = read_records(folder / "evening.txt")
    check_same(told, record)


@settings(max_examples=4 * FEW)
@given(kind=st.sampled_from(KINDS), seed=SEEDS)
def test_an_interrupted_entry_goes_on(
    kind: tuple[str, bool], seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    random = Random(seed)
    evening = Evening(kind[0], random)
    record = evening.record if kind[1] else evening.record.seen_by(
        random.randrange(evening.rules.players))
    path = tmp_path_factory.mktemp("told") / "evening.txt"
    before = "% kept as it is\r\n\r\n" + write_record(evening.record)
    path.write_text(before, encoding="utf-8", newline="")
    while True:
        file = EntryFile(path)
        entry = GameEntry(resumed=file.resumed)
        lines = tell(entry, evening, record, random, most=random.randint(1, 25))
        ended = not entry.question or entry.question.kind == "next"
        note("\n".join((*lines, "---")))
        run(path.parent, lines, path.name)
        if ended:
            break
    text = path.read_bytes().decode()
    assert text.startswith(before + "\n")
    first, told = read_records(path)
    assert first == evening.record
    check_same(told, record)


@given(SEEDS)
@settings(max_examples=2 * FEW)
def test_going_back_changes_nothing(seed: int) -> None:
    """Back to any answer, also to the first, and on again: the same sheets."""
    random = Random(seed)
    rules, whole = random.choice(KINDS)
    evening = Evening(rules, random)
    record = evening.record if whole else evening.record.seen_by(0)
    entry = GameEntry()
    tell(entry, evening, record, random)
    end = entry.sheet
    steps = random.randint(1, 200)
    for _ in range(steps):
        entry.back()
    tell(entry, evening, record, random)
    assert entry.sheet == end
    while entry.back():
        pass
    assert entry.sheet == GameEntry().sheet and not entry.back()


@given(st.lists(st.one_of(
    st.sampled_from((*START_LINES, *NONSENSE, "1", "2", "3", "back", "all", "?", "save", "yes",
                     "no", "7H takes", "prende", "@", "donna", "ciapano", "scopone", "0", "",
                     "mostra")),
    st.text(max_size=12)), max_size=60), st.sampled_from(("en", "it")))
def test_any_lines(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], language: str
) -> None:
    """Whatever is typed, the command ends well, and what it writes can be read."""
    lines = [" ".join(line.encode("utf-8", "replace").decode().splitlines()) for line in lines]
    out = run(tmp_path_factory.mktemp("any"), lines, "--lang", language)
    begins = out.rfind("\n[")
    if begins >= 0:
        for record in read_records(out[out.index("\n["):]):
            assert record.start


# --- by hand --------------------------------------------------------------------------

START = list(START_LINES)


def told_by(*lines: str) -> GameEntry:
    entry = GameEntry()
    for line in (*START, *lines):
        entry.answer(line)
    return entry


def test_a_claim_is_asked_for_the_value_of_the_matta() -> None:
    entry = told_by("bussa")
    assert entry.question and entry.question.kind == "which"
    assert entry.question.options == ("!3C4D7H=1", "!3C4D7H=2")
    entry.answer("2")
    assert entry.records[0].plies[0].word == "!3C4D7H=2"
    # With the matta at two: 2 takes nothing that adds up here, 3 takes AS 5D 6C.
    question = entry.question
    assert question and question.options == ("3CxAS5D6C", "4Dx5D6C", "4DxASKD", "7H")


def test_what_another_seat_can_have_done() -> None:
    entry = told_by("bussa matta 2", "3c")
    question = entry.question
    assert question and (question.kind, question.seat, question.complete) == ("play", 1, False)
    with pytest.raises(EntryError) as caught:
        entry.answer("3C")
    assert caught.value.key == "not_possible"
    entry.answer("5H")
    # 5 and KD are fifteen, and a card alone means what it can do.
    assert entry.records[0].plies[-1].word == "5HxKD"


def going_on(rules: str) -> Evening:
    """A smazzata after which the match goes on."""
    evenings = (Evening(rules, Random(seed)) for seed in range(100))
    return next(one for one in evenings if not one.record.final.match_winners())


def test_the_points_and_the_next_smazzata(tmp_path: Path) -> None:
    """Scopone scientifico with four seats in the order of the pack: all hands are known."""
    evening = going_on("scopone-scientifico")
    lines = tell(GameEntry(), evening, evening.record, Random(1))
    assert lines[-1] == "no"
    # The last hand is what is left, and is not asked for.
    assert sum(line.count(",") >= 9 or len(line.split()) >= 10 for line in lines) >= 3
    result = evening.record.result
    out = run(tmp_path, [*lines[:-1], "sì"], "evening.txt", "--lang", "it")
    assert "La smazzata è finita." in out
    scores = evening.record.final.match_scores()
    assert f"Partita: {scores[0]}/{scores[1]}, ai 21." in out
    for side, points in enumerate(result.points):
        who = f"{NAMES[side]} (posto {side}) e {NAMES[side + 2]} (posto {side + 2})"
        assert f"{who}: {points} punt" in out
    entry = GameEntry()
    for line in [*lines[:-1], "y"]:
        entry.answer(line)
    sheet = entry.sheet
    assert (sheet.dealer, sheet.scores) == ((evening.dealer + 1) % 4, scores)
    assert entry.question and entry.question.kind == "hand"
    assert entry.records == (evening.record,)
    # Back over the end of the smazzata.
    entry.back()
    assert entry.question and entry.question.kind == "next"
    entry.back()
    assert entry.question and entry.question.kind == "play"


def test_a_match_that_goes_on_is_offered(tmp_path: Path) -> None:
    evening = going_on("scopa")
    path = tmp_path / "evening.txt"
    path.write_text(write_record(evening.record.seen_by(1)), encoding="utf-8")
    file = EntryFile(path)
    assert file.resumed is None and file.after == evening.record.seen_by(1)
    entry = GameEntry(after=file.after)
    final = evening.record.final
    for kind in ("rules", "names", "seat", "dealer", "scores"):
        assert entry.question and entry.question.kind == kind
        entry.answer("")
    sheet = entry.sheet
    assert (str(sheet.rules), sheet.names, sheet.seat) == ("rules=scopa", NAMES[:2], 1)
    assert (sheet.dealer, sheet.scores) == ((final.dealer + 1) % 2, final.match_scores())


def test_misdeals_and_bonuses() -> None:
    entry = GameEntry(rules="cirulla", seat="0", dealer="1")
    for line in ("", ""):
        entry.answer(line)
    with pytest.raises(EntryError) as caught:
        entry.answer("AH AD 3C 4C")  # two aces
    assert (caught.value.key, entry.sheet.misdeals) == ("misdeal", 1)
    entry.answer("AH 2D 5C 7C")  # fifteen: a point for the dealer
    entry.answer("KH KD KC")
    record, = entry.records
    assert record.start.misdeals == 1
    assert record.start.scopa == (0, 1)
    assert record.start.taken == ((), ("AH", "2D", "5C", "7C"))
    entry.back()
    entry.back()
    entry.back()
    assert entry.sheet.misdeals == 0


def test_a_hand_known_by_what_is_left() -> None:
    """In the last round of two all of the other's cards are known: they can be chosen from."""
    evening = Evening("scopa", Random(7))
    record = evening.record.seen_by(0)
    entry = GameEntry(resumed=Record(record.start, record.plies[:-1], record.tags))
    question = entry.question
    assert question and question.complete
    assert record.plies[-1].word in question.options


def test_an_unfinished_whole_truth_says_what_was_not_dealt(tmp_path: Path) -> None:
    evening = Evening("scopa", Random(9))
    lines = tell(GameEntry(), evening, evening.record, Random(1), most=9)
    run(tmp_path, lines, "evening.txt")
    told, = read_records(tmp_path / "evening.txt")
    assert told.tags[UNSEEN_TAG] == "30"
    assert told.start.hands == evening.record.start.hands


REFUSED = [
    ([], "briscola", "rules_wrong"), ([], "scopa players=7", "rules_wrong"),
    ([], "17", "choice_wrong"), ([], "0", "choice_wrong"),
    (["scopa"], "A, B, C", "names_count"), (["scopa"], "A" * 61 + ",B", "name_long"),
    (["scopa", ""], "2", "seat_wrong"), (["scopa", "A,B"], "C", "seat_wrong"),
    (["scopa", "", "0"], "2", "who_wrong"), (["scopa", "", "0"], "all", "who_wrong"),
    (["scopa", "", "0", "1"], "3", "scores_wrong"), (["scopa", "", "0", "1"], "11/3", "scores_won"),
    (["scopa", "", "0", "1"], "a/b", "scores_wrong"),
    (START[:5], "AS 5D 6C", "cards_count"), (START[:5], "AS 5D 6C 6C", "card_twice"),
    (START[:5], "AS 5D 6C boh", "card_wrong"), (START[:5], "AS 5D 6C re", "card_suit"),
    (START[:6], "AS 3C 4D", "card_seen"),
    (START, "7", "choice_wrong"), (START, "hello", "no_action"), (START, "7H prende", "breaks_off"),
    (START, "7H takes 5D", "not_possible"), (START, "7H 3C", "no_action"),
    (START, "@ 7H 3C 4D", "not_possible"), (START, "", "no_action"),
]


@pytest.mark.parametrize(("before", "line", "key"), REFUSED)
@pytest.mark.parametrize("language", ["en", "it"])
def test_refused_with_what_would_be_right(
    before: list[str], line: str, key: str, language: str
) -> None:
    entry = GameEntry()
    for one in before:
        entry.answer(one)
    sheet = entry.sheet
    with pytest.raises(EntryError) as caught:
        entry.answer(line)
    assert caught.value.key == key
    assert entry.sheet == sheet
    words = EntryWords.of(entry, language, letters=False)
    text = words.refusal(entry, caught.value)
    assert text and "{" not in text


@pytest.mark.parametrize("language", ["en", "it"])
def test_everything_is_said_in_both_languages(language: str) -> None:
    """No key is missing, whatever is asked."""
    random = Random(4)
    for rules, whole in KINDS:
        evening = Evening(rules, random)
        record = evening.record if whole else evening.record.seen_by(0)
        entry = GameEntry()
        while entry.question:
            words = EntryWords.of(entry, language, letters=True)
            lines = list(words.question(entry))
            assert lines
            assert not any("{" in line for line in lines)
            line = answer_to(entry, evening, record, random)
            if refused := taken(entry, line):
                assert words.refusal(entry, refused)
            list(EntryWords.of(entry, language, letters=True).news(entry))


# --- the command ----------------------------------------------------------------------

def test_in_italian(tmp_path: Path) -> None:
    out = run(tmp_path, [*START, "bussa matta 2", "il tre", "?", "indietro", "esci"],
              "--lang", "it")
    for line in ("Con quali regole?", "Tocca ad Ada (posto 0).", "Giro 1 di 6.",
                 "  1  bussa con 3♣ 4♦ 7♥ (7♥ vale 1)", "Un passo indietro.",
                 "Le 4 carte in tavola?"):
        assert line in out
    record, = read_records(out[out.index("[Seat0"):])
    assert [ply.word for ply in record.plies] == ["!3C4D7H=2"]


def test_flags_say_it_beforehand(tmp_path: Path) -> None:
    out = run(tmp_path, ["", "", "AS 5D 6C KD", "3C 4D 7H"], "--rules", "cirulla target=31",
              "--seat", "0", "--dealer", "1")
    record, = read_records(out[out.index("[Rules"):])
    assert record.start == State.parse(
        "rules=cirulla target=31 dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0")
    assert "Who deals" not in out and "By which rules" not in out


@pytest.mark.parametrize(("words", "says"), [
    (["--rules", "briscola"], "no such preset"), (["--lang", "fr"], "invalid choice: 'fr'"),
    (["no/such/folder.txt"], "there is no folder no/such"), (["."], "is a folder, not a file"),
])
def test_wrong_use(tmp_path: Path, words: list[str], says: str) -> None:
    ended = cirulla(tmp_path, "enter", *words)
    assert ended.returncode == 2
    assert says in ended.stderr


def test_a_seat_that_is_none(tmp_path: Path) -> None:
    before, sys.stdin = sys.stdin, StringIO("\n\n\n")
    try:
        ended = cirulla(tmp_path, "enter", "--rules", "scopa", "--seat", "5")
    finally:
        sys.stdin = before
    assert ended.returncode == 2
    assert "'5' is no seat; a number from 0 to 1" in ended.stderr


def test_what_is_in_the_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "evening.txt"
    junk = b"\xef\xbb\xbf[Rules \"bridge\"]\r\n\r\n1. 0:AH {caff\xc3\xa8} *\r\n"
    path.write_bytes(junk)
    out = run(tmp_path, START, "evening.txt")
    assert "can't be read" in out and "no such preset" in out
    assert path.read_bytes().startswith(junk.rstrip())
    errors: list[Exception] = []
    record, = read_records(path, on_error=errors.append)
    assert len(errors) == 1
    assert record.names == ("Ada", "Bea")


def test_a_record_written_by_hand_is_kept_beside(tmp_path: Path) -> None:
    path = tmp_path / "evening.txt"
    text = ('[Hand0 "3C 4D 7H"]\n[Table "AS 5D 6C KD"]\n\n; my remark\n0: bussa matta 2\n')
    path.write_text(text, encoding="utf-8")
    out = run(tmp_path, ["il tre"], "evening.txt")
    assert "breaks off after 1 actions" in out
    record, = read_records(path)
    assert [ply.word for ply in record.plies] == ["!3C4D7H=2", "3CxAS5D6C"]
    assert (tmp_path / "evening.txt.bak").read_text(encoding="utf-8") == text


def test_nothing_new_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "evening.txt"
    text = '[Hand0 "3C 4D 7H"]\n[Table "AS 5D 6C KD"]\n\n0: bussa matta 2 ; so\n'
    path.write_text(text, encoding="utf-8")
    run(tmp_path, ["boh", "?", "save", "quit"], "evening.txt")
    assert path.read_text(encoding="utf-8") == text
    assert list(tmp_path.iterdir()) == [path]


def test_wide_text_is_no_file_of_records(tmp_path: Path) -> None:
    (tmp_path / "evening.txt").write_text("[Rules \"scopa\"]", encoding="utf-16")
    ended = cirulla(tmp_path, "enter", "evening.txt")
    assert ended.returncode == 2
    assert "save it as UTF-8" in ended.stderr


def test_rules_that_cannot_be() -> None:
    with pytest.raises(RulesError, match="no such preset"):
        GameEntry(rules="briscola")


