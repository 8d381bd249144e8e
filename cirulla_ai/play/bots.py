"""Those who play a seat by themselves: from what the seat has seen to an action."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import suppress

from cirulla_ai.action import Action
from cirulla_ai.basics.encoding import argument_text
from cirulla_ai.basics.errors import PortableError
from cirulla_ai.client.errors import EngineError
from cirulla_ai.client.inprocess import InProcessEngine
from cirulla_ai.client.simple import AnyEngine, SimpleAnalysis, SimpleEngine
from cirulla_ai.engine.options import OptionError
from cirulla_ai.history import History
from cirulla_ai.play.seats import Seat
from cirulla_ai.players import Player, make_player
from cirulla_ai.players.base import Thought, Turn
from cirulla_ai.players.sampling import UNLIMITED
from cirulla_ai.tournament.contender import Contender

__all__ = ["Bot", "BotError"]

# Seconds that a program has to answer, besides its time to think.
PATIENCE = 20.0


class BotError(PortableError):
    """A bot did not start, failed, or played what is not legal; it may do better when asked
    again, or somebody else takes its seat."""


class Bot(ABC):
    """Who plays a seat.  ``Bot.of`` makes one; ``close`` ends what it has started.

    What it decides depends on what the seat has seen and on the seed, not on what it was
    asked before: a game that is read back goes on as it would have.
    """

    @staticmethod
    def of(seat: Seat) -> Bot:
        """The bot that a seat describes; raises ValueError for a person's seat."""
        if seat.is_person:
            raise ValueError(f"{seat.name or 'a person'} is no bot")
        return _PlayerBot(seat) if seat.kind == "player" else _EngineBot(seat)

    @abstractmethod
    def choose(self, view: History, seed: int) -> tuple[Action, Thought]:
        """What it plays, and what it says of it; raises BotError.

        ``view`` is what its seat has seen of the smazzata.
        """

    def interrupt(self) -> None:  # noqa: B027  (most answer at once)
        """Let it end soon what it thinks about, in another thread; its answer is no use."""

    def close(self) -> None:  # noqa: B027
        """Give back what it holds; it can be asked again."""


class _PlayerBot(Bot):
    """A player by name."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._player: Player = make_player(seat.contender.player)

    def choose(self, view: History, seed: int) -> tuple[Action, Thought]:
        # The view: it could not even see more by mistake.
        turn = Turn(view, self._seat.contender.clock.limit(None))
        try:
            self._player.begin(seed)
            self._player.prepare(turn)
            action = self._player.choose(turn)
        except Exception as error:
            # What stands in a stranger's class can raise anything.
            raise BotError(f"{self._seat.name}: {type(error).__name__}: {error}") from error
        if action not in view.state.legal_actions():
            raise BotError(f"{self._seat.name}: {action} is not legal")
        return action, self._player.thought


class _EngineBot(Bot):
    """An engine: ours in this process, or a program."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._engine: AnyEngine | None = None
        self._search: SimpleAnalysis | None = None
        # The smazzata that it was last asked about.
        self._start: object = None

    def choose(self, view: History, seed: int) -> tuple[Action, Thought]:
        who = self._seat.contender
        try:
            engine = self._started(who)
            if view.start != self._start:
                engine.new_game()
                self._start = view.start
            self._seed(engine, who, seed)
            limit = who.clock.limit(who.clock.time)
            self._search = engine.analysis(view, UNLIMITED if limit.is_infinite else limit)
            result = self._search.wait()
        except (EngineError, OptionError) as error:
            self.close()
            raise BotError(f"{self._seat.name}: {error}") from error
        finally:
            self._search = None
        best = result.infos[0] if result.infos else None
        return result.action, Thought(best.centipoints, best.nodes) if best else Thought()

    def _started(self, who: Contender) -> AnyEngine:
        if self._engine is None:
            engine: AnyEngine
            if who.cmd:
                engine = SimpleEngine.popen(list(who.cmd), timeout=PATIENCE)
            else:
                engine = InProcessEngine()
            try:
                engine.configure({name: argument_text(value) for name, value in who.options})
            except BaseException:
                engine.close()
                raise
            self._engine, self._start = engine, None
        return self._engine

    def _seed(self, engine: AnyEngine, who: Contender, seed: int) -> None:
        """Seed it, unless its description does or it can't be."""
        if any(name.strip().lower() == "seed" for name, _ in who.options):
            return
        # 0 would be: a new one each time.
        number = engine.options.spin("Seed", seed >> 2 | 1)
        if number is not None:
            with suppress(OptionError):
                engine.configure({"Seed": number})

    def interrupt(self) -> None:
        search = self._search
        if search is not None:
            search.stop()

    def close(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()


