"""What goes from one process to another, or is copied: errors, values, what a seat knows."""

from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest
from support.annotations import annotation

import cirulla_ai
from cirulla_ai import (
    Action,
    Engine,
    Info,
    Knowledge,
    Limit,
    Match,
    Rules,
    RulesError,
    State,
    StateError,
)
from cirulla_ai._core.contract import CheatInformationSet
from cirulla_ai.action import Deal
from cirulla_ai.analysis import analyse, solve
from cirulla_ai.analysis.annotate import Part, Terms, annotate
from cirulla_ai.analysis.classes import Thresholds
from cirulla_ai.analysis.comparison import Compared, Estimate
from cirulla_ai.analysis.judge import Verdict
from cirulla_ai.analysis.luck import DealLuck
from cirulla_ai.analysis.positions import FilePosition
from cirulla_ai.analysis.queries import Asked, Defaults, QueryError, read_query
from cirulla_ai.analysis.reasons import Reasons
from cirulla_ai.analysis.rollout import Batch, Rolled, Rollout
from cirulla_ai.analysis.stats import Mean, Played, Pooled
from cirulla_ai.analysis.strength import Level
from cirulla_ai.analysis.trials import Question
from cirulla_ai.client.announced import AnnouncedOptions
from cirulla_ai.client.errors import EngineTerminatedError, IllegalActionError
from cirulla_ai.client.remote import Patience, PlayResult
from cirulla_ai.client.settings import Settings
from cirulla_ai.compliance.conversation import Answer, MisbehaviourError
from cirulla_ai.compliance.runner import Finding
from cirulla_ai.engine.budget import Budget
from cirulla_ai.engine.options import OPTIONS, Options
from cirulla_ai.games.contract import SheetItem, Solved
from cirulla_ai.history import History
from cirulla_ai.info import Score, Wdl
from cirulla_ai.look import Words
from cirulla_ai.play import Game, Seat, level_seat
from cirulla_ai.play.advice import Judgement
from cirulla_ai.players import PLAYERS, make_player
from cirulla_ai.players.base import Thought
from cirulla_ai.protocol.limits import GoWords
from cirulla_ai.records import Comment, Forfeit, Ply, Record, RecordError
from cirulla_ai.records.entry import EntryError, GameEntry, Sheet
from cirulla_ai.records.entry import Question as Asking
from cirulla_ai.records.entry_words import EntryWords
from cirulla_ai.records.phrases import Phrase, PhraseError
from cirulla_ai.records.start import Dealing
from cirulla_ai.records.words import Lexeme, Naming, WordError
from cirulla_ai.review.curve import curve_of
from cirulla_ai.review.prose import Teller
from cirulla_ai.review.reading import read_matches
from cirulla_ai.review.texts import Names, ReviewWords
from cirulla_ai.tournament.contender import Contender
from cirulla_ai.tournament.play import Conditions
from cirulla_ai.tournament.referee import Clock, FaultError, Smazzata
from cirulla_ai.tournament.referee import Forfeit as Fault
from cirulla_ai.tournament.schedule import DealSet, Schedule
from cirulla_ai.tournament.standing import Standing
from cirulla_ai.tournament.statistics import (
    Bounds,
    EloSprt,
    PointsSprt,
    Ratings,
    Scores,
    SetResult,
    Tally,
)
from cirulla_ai.training.pipeline import Step
from cirulla_ai.training.plan import Plan
from cirulla_ai.web.endpoints import ENDPOINTS
from cirulla_ai.web.fields import Anything, FieldError, Fields, ListOf, OneOf, Text, Whole
from cirulla_ai.web.fields import Flag as YesOrNo
from cirulla_ai.web.tokens import Grants

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
EXTRAS = ("numpy", "rich", "matplotlib", "distributed", "mpi4py", "scipy",
          "aiohttp", "platformdirs")


def classes() -> Iterator[type]:
    """Every class that the package itself has, but for private ones."""
    for module in pkgutil.walk_packages(cirulla_ai.__path__, "cirulla_ai."):
        if module.name.endswith("__main__") or "._core.v3." in module.name:
            continue
        try:
            found = importlib.import_module(module.name)
        except ImportError as error:
            if error.name in EXTRAS:
                continue
            raise
        for name, one in vars(found).items():
            if inspect.isclass(one) and one.__module__ == module.name and name[0] != "_":
                yield one


ERRORS = [one for one in classes() if issubclass(one, BaseException)]
# Those that are made from something else than one message.
MADE_FROM: dict[type, tuple[Any, ...]] = {
    FieldError: ("rules", "rules is needed"),
    StateError: ("table", "8H is not a card"),
    RulesError: ("players=5: no", "players", "rounds"),
    RecordError: ("no cards", 7, 3),
    EntryError: ("misdeal",),
    WordError: ("boh", True),
    PhraseError: ("a card is needed here", 5),
    QueryError: ("limit 5 is none", "limit", "a"),
    IllegalActionError: ("bestmove 8H", "8H"),
    EngineTerminatedError: ("A has ended", -9, ("a word", "the last one")),
    FaultError: ("illegal", "8H is not a card"),
    MisbehaviourError: ("a bestmove", ["info depth 1", "bestmove"]),
}


def copies(value: Any) -> Iterator[Any]:
    """What comes of it by every way of copying."""
    for protocol in PROTOCOLS:
        yield pickle.loads(pickle.dumps(value, protocol))
    yield copy.copy(value)
    yield copy.deepcopy(value)


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_an_error_travels(kind: type[BaseException]) -> None:
    error = kind(*MADE_FROM.get(kind, ("what was wrong",)))
    error.__dict__["noted"] = "on the way"
    for other in copies(error):
        assert type(other) is kind
        assert (str(other), other.args) == (str(error), error.args)
        assert vars(other) == vars(error)


def test_errors_that_take_more_than_a_message_are_looked_at() -> None:
    for kind in ERRORS:
        if "__init__" in vars(kind):
            assert kind in MADE_FROM, f"{kind.__name__}: say in MADE_FROM what it is made from"


def test_a_bad_state_in_a_pool_gives_its_error() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with pytest.raises(StateError, match="dealer: is needed") as info:
            pool.submit(State.parse, "rules=cirulla").result(timeout=60)
        assert info.value.key == "dealer"
        # The pool is as good as before.
        assert pool.submit(State.deal, "scopa", seed=3).result(timeout=60) == \
            State.deal("scopa", seed=3)


# --- values ---------------------------------------------------------------------------

START = State.deal("cirulla", dealer=1, seed=7)
HISTORY = History.of(START, START.legal_actions()[0])
RECORD = Record(START, (Ply(str(START.legal_actions()[0]), Comment(5, 3, 2, "so")),),
                {"Event": "A"}, "well", Forfeit(1, (3, 0), "late"))
ROLLED = Rolled(Action("7H"), 1.5, 0.25, 0.0, 0.0, 18, 1.0, {"scopa": 1.5})


NONE = Estimate(0.0, 0.0)
FOUND_BY = Compared(1, Estimate(0.5, 0.1), Estimate(0.5, 0.1), NONE, NONE, 9, (1,))
QUERY, REQUEST = (read_query(line, Defaults(Limit(nodes=5))) for line in (
    '{"id":"a","position":"startpos seed 1"}', '{"id":"b","action":"version"}'))
FOUND = analyse(START, Limit(nodes=200))
ANNOTATED = annotate(Record(START, RECORD.plies), Terms(nodes=50))
SOLVED = solve(State.parse(
    "rules=cirulla dealer=1 turn=1 round=6 hands=JH/4HQC table=3C4CQHKS last=0 scopa=2/17 "
    "taken=AHADAC2C4D4S5H5D5C6H6D6C6S7C7SJDJCJSQSKD/AS2H2D2S3H3D3S5S7H7DQDKHKC"))


def tally() -> Tally:
    made = Tally()
    made.add((5, -1))
    return made


def ratings() -> Ratings:
    made = Ratings(("C",))
    made.add(SetResult((("A", "B"), ("B", "A")), ((9, 4), (7, 6))))
    return made


def options() -> Options:
    made = Options()
    made.set("Hash", "3")
    return made


def standing() -> Standing:
    made = Standing(Rules("cirulla"), ("A", "B"))
    made.add({"games": [{"seats": [0, 1], "points": [3, 2]}, {"seats": [1, 0], "points": [5, 0]}]})
    return made


GAME = Game("scopa", (Seat("A"), level_seat(3)), seed=3)
REVIEWED = read_matches([annotation(seed=4)])
JUDGED = next(one for one in REVIEWED[0].first.decisions if one.is_error)

VALUES: tuple[Any, ...] = (
    Action("7Hx3S5C"), Rules("cirulla", target=31, rounds=(3,) * 6), START, START.view(0),
    State.deal("ciapano", seed=3).view(1), Limit(nodes=5, inc=2), RECORD, RECORD.forfeit,
    RECORD.plies[0], RECORD.plies[0].comment, RECORD.result, START.points()[0],
    State.deal("ciapano", seed=3).points()[0], HISTORY, HISTORY.view(0),
    Deal("@3C4D7H"), Info(depth=3, pv=(Action("7H"),), string="so", others=(Info(depth=1),)),
    Score(5, False, 3), Wdl(1, 2, 997), PlayResult(Action("7H"), None, ()), Budget(5, 3),
    Answer(["readyok"], []), GoWords(Limit(), None, True), Patience(1, 1), Solved(1, 2.5, (1,)),
    Thought(3, 5),
    OPTIONS["hash"], Contender("A", ("a",), options=(("Hash", "1"),)), Clock(nodes=5),
    Conditions("cirulla"), Fault(0, "late", "by a second"), DealSet(0, 0, (0, 1), ((0, 1),), 5),
    Schedule(Rules("scopa"), 2, 5, 1), SetResult((("A", "B"),), ((9, 4),)), Bounds(),
    PointsSprt(0, 1), EloSprt(0, 5), Bounds().judge(1), Tally().summary(), Scores().summary(),
    ratings().table(), ratings().table()[0], Plan(), Step(1, "end", 2, 0.5, 2.0),
    DealLuck(1, (0.5, -0.5), (0.25, -0.25)), Batch(0, (7,)),
    Question.of(Knowledge(START), "quick", 200, 1, True, "", True), ROLLED,
    *REVIEWED, REVIEWED[0].first, REVIEWED[0].first.deals[0], REVIEWED[0].first.sides[0], JUDGED,
    JUDGED.candidates[0], JUDGED.hindsight, ReviewWords("it"), curve_of(REVIEWED[0], 0, True),
    curve_of(REVIEWED[0], 0, True).steps[0],
    Rollout(START.view(0), 0, (ROLLED,), 18, 4.0),
    Reasons(Rollout(START.view(0), 0, (ROLLED,), 18, 4.0), Action("7H"), Action("7H")),
    Finding("A", "B", "pass", 0.5), FOUND, FOUND.best,
    Thresholds(), ANNOTATED, ANNOTATED.decisions[0], ANNOTATED.sides[0],
    ANNOTATED.decisions[0].choices[0], Verdict(ANNOTATED.decisions[0].choices),
    Terms(nodes=5), Part(range(3)), Level(3.5, 1.0), Mean(3, 0.5, None),
    Played(0, 1, "lay", "best", 0.0, None, None),
    Pooled(Rules("scopa"), ("A", None), (5, 50), (), None, None),
    FilePosition(1, HISTORY), Defaults(Limit(nodes=5)), Asked(HISTORY, 3), QUERY, REQUEST,
    FOUND_BY, NONE, Smazzata(START), Words("it", latin=True),
    Phrase("card", 0, 2, Naming("7", "H")), Naming("Q"), Lexeme("take", 3, 8),
    Dealing(Rules("scopa"), 1, (3, 4)),
    SOLVED, SOLVED.actions[0],
    Seat("A"), level_seat(3), GAME, GAME.view(0), GAME.view(0).places[0], SheetItem("cards", (1, 0),
                                                                                   (22, 18)),
    Judgement(1, FOUND.best, FOUND.best, "best"), Grants(True), ENDPOINTS[0], Text(5), Whole(1, 2),
    YesOrNo(), OneOf(("a",)), ListOf(Text(5), 2), Anything(5), Fields({"a": Text(5)}),
    EntryWords("it", letters=True), Asking("hand", 1, 3),
    Sheet(rules=Rules("scopa"), dealer=1, hands={0: ("AH", "2H", "3H")}),
    *Rules("cirulla").family.options.values(),
)
# Values that say nothing of being equal: by what they say of themselves.
SAYING: tuple[tuple[Callable[[], Any], Callable[[Any], Any]], ...] = (
    (lambda: Match("cirulla", seed=3, scores=(5, 7)), lambda match: (str(match), match.deal())),
    (lambda: Names(REVIEWED, Words(), False), lambda names: names.side(REVIEWED[0].first, 0)),
    (lambda: Teller(REVIEWED[0], ReviewWords(), Names(REVIEWED, Words(), True)),
     lambda teller: teller.error(JUDGED)),
    (lambda: Engine(options()), lambda engine: engine.options["Hash"]),
    (options, lambda made: [made[name] for name in OPTIONS]),
    (lambda: AnnouncedOptions(OPTIONS.values()), dict),
    (lambda: Settings(AnnouncedOptions(OPTIONS.values())), lambda made: made.for_lines(3)),
    (lambda: GameEntry(rules="scopa", seat="0"), lambda made: (made.sheet, made.question)),
    (tally, lambda made: made.summary()), (lambda: tally().scores, lambda made: made.summary()),
    (ratings, lambda made: made.table()),
    (lambda: next(iter(ratings().groups.values())), lambda made: (made.sets, made.points)),
    (standing, lambda made: made.lines()),
    (lambda: START.position, lambda position: (position.fields(), position.legal())),
    (lambda: START.view(1).position, lambda position: position.fields()),
    (lambda: State.deal("ciapano", seed=3).position, lambda position: position.legal()),
    (lambda: START.rules.table, lambda table: table.random_games(20, 1)),
    (lambda: Rules("ciapano").table, lambda table: table.random_games(20, 1)),
    (lambda: Knowledge(START), lambda known: (str(known.state), known.seat, known.draw(5))),
    (lambda: Knowledge(START).core, lambda core: core.draw(5)[0].fields()),
    (lambda: Knowledge(State.deal("ciapano", seed=3)).core, lambda core: core.draw(5)[0].fields()),
    (lambda: CheatInformationSet(START.position, 0), lambda core: core.truth().fields()),
    *((lambda name=name: make_player(name, 5), lambda player: (player.name, player.random.random()))
      for name in PLAYERS),
)
# They hold what belongs to one process (threads, memory, files, pipes), or are never there
# as such: what is made from them travels.
STAY = frozenset((
    "Advice", "Analysis", "Annotations", "AnyEngine", "Api", "Ask", "Bar", "Batch", "Blocks",
    "Books", "Bot", "Catalogue", "Channel", "Check", "CiapanoFamily", "CiapanoQuick",
    "CiapanoReader", "CiapanoRollout", "Connection", "Conversation", "Crew", "Decision", "Ending",
    "EnginePlayer", "EngineProtocol", "Entry", "EntryFile", "Equilibrium", "Equity", "Evaluation",
    "EvaluationFile", "ExtendedLimits", "Field", "FishingFamily", "FishingQuick", "FishingReader",
    "FishingRollout", "Fit", "Guard", "Here", "HeuristicPlayer", "InProcessEngine",
    "InformationSet", "Job", "JobGuard", "Journal", "Judge", "Lab", "Lexer", "Line", "LineBuffer",
    "Lines", "Loop", "Losses", "Networks", "Option", "Order", "OwnJudge", "Player",
    "PortableError", "Position", "PositionClass", "PositionReader", "ProcessPlayer", "Progress",
    "Prospect", "ProtocolJudge", "QuickPlay", "Reader", "RemoteSearch", "Roller", "Rollout",
    "Roster", "Rosters", "RuleFamily", "Run", "Sample", "Search", "SelfPlay", "Server", "Service",
    "Session", "SidePoints", "SimpleAnalysis", "SimpleEngine", "Sitting", "Sittings", "Speech",
    "StaticFiles", "Stats", "Stop", "Store", "Stream", "Table", "Tables", "Tokens", "Trials",
    "Turn", "Value", "Worker", "Workers", "Workshop",
))


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_travels(value: Any) -> None:
    for other in copies(value):
        assert type(other) is type(value)
        assert other == value
        assert repr(other) == repr(value)


@pytest.mark.parametrize(("make", "say"), SAYING)
def test_what_has_no_equal_travels(make: Callable[[], Any], say: Callable[[Any], Any]) -> None:
    for other in copies(make()):
        assert type(other) is type(make())
        assert say(other) == say(make())


def test_every_class_is_looked_at() -> None:
    looked_at = {type(value) for value in VALUES} | {type(make()) for make, _ in SAYING}
    # In what the match package says twice, by its place: its Game is a smazzata, that of
    # cirulla_ai.games.registry holds functions; its Plan reads a command line.
    places = {"cirulla_ai.games.contract.Game", "cirulla_ai.tournament.tournament.Plan"}
    for one in classes():
        if issubclass(one, BaseException) or one.__name__ in STAY or one in looked_at:
            continue
        assert f"{one.__module__}.{one.__name__}" in places, f"{one}: does it travel?"


def test_tables_are_shared_where_they_arrive() -> None:
    for rules in (Rules("cirulla", target=31), Rules("ciapano")):
        assert pickle.loads(pickle.dumps(rules.table)) is rules.table


# --- what a seat knows -----------------------------------------------------------------

def followed(rules: str, actions: int, seat: int, seed: int) -> tuple[State, Knowledge]:
    """A smazzata played so far by its own seed, and what a seat has seen of it."""
    truth = State.deal(rules, seed=seed)
    known = Knowledge(truth, seat)
    for turn in range(actions):
        legal = truth.legal_actions()
        action = legal[(7 * turn + seed) % len(legal)]
        truth = truth.apply(action)
        known.watch(action, truth)
    return truth, known


GAMES = [("cirulla", 9), ("cirulla-wikipedia", 8), ("cirulla-coppie", 14), ("scopone", 17),
         ("cirullone", 20), ("ciapano", 2), ("ciapano", 16), ("cirulla players=3", 10)]


@pytest.mark.parametrize(("rules", "actions"), GAMES)
def test_knowledge_goes_on_elsewhere_as_here(rules: str, actions: int) -> None:
    for seed in (1, 2):
        truth, known = followed(rules, actions, 1, seed)
        for other in (pickle.loads(pickle.dumps(known)), copy.deepcopy(known)):
            here = copy.copy(known)
            state = truth
            # To the end of the next round, and beyond.
            for _ in range(8):
                assert str(other.state) == str(here.state)
                assert [other.draw(n) for n in range(4)] == [here.draw(n) for n in range(4)]
                if state.is_over:
                    break
                action = state.legal_actions()[-1]
                state = state.apply(action)
                here.watch(action, state)
                other.watch(action, state)


@pytest.mark.parametrize(("rules", "actions"), [*GAMES[:3], GAMES[6]])
def test_a_search_of_it_is_the_same(rules: str, actions: int) -> None:
    truth, _ = followed(rules, actions, 0, 3)
    assert truth.turn is not None
    _, known = followed(rules, actions, truth.turn, 3)
    engine = Engine()
    engine.set("Seed", 5)

    def said(knowledge: Knowledge) -> list[Any]:
        return [(info.lines, info.nodes, info.actions_played)
                for info in engine.search(knowledge, Limit(nodes=300))]

    assert said(pickle.loads(pickle.dumps(known))) == said(known)


@pytest.mark.parametrize(("rules", "actions"), GAMES)
def test_a_pickle_tells_what_the_seat_knows_and_no_more(rules: str, actions: int) -> None:
    _, known = followed(rules, actions, 1, 1)
    # Other hidden cards, and all as it was for this seat.
    for seed in range(5):
        world = known.draw(seed)
        assert world.view(1) == known.state
        assert pickle.dumps(Knowledge(world, 1)) == pickle.dumps(Knowledge(known.state))
        assert pickle.dumps(world.view(1)) == pickle.dumps(known.state)
        assert pickle.dumps(world.view(1).position) == pickle.dumps(known.state.position)
        assert pickle.dumps(History.of(world).view(1)) == pickle.dumps(History.of(known.state))
