"""What the checks share: the engine under test, its options, positions to ask about."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from random import Random

from cirulla_ai.client.announced import AnnouncedOptions, parse_option
from cirulla_ai.client.connection import Command
from cirulla_ai.client.errors import EngineStartError
from cirulla_ai.compliance.conversation import Conversation, MisbehaviourError, NotApplicableError
from cirulla_ai.engine.options import EngineOption
from cirulla_ai.games.registry import PRESETS
from cirulla_ai.history import History
from cirulla_ai.state import State

__all__ = ["AT_ONCE_SECONDS", "Check", "Lab", "played", "state_in"]

# What the protocol calls at once, as for ``quit``.
AT_ONCE_SECONDS = 0.2


@dataclass(frozen=True)
class Check:
    """One rule of the protocol, in words, and how to see whether an engine keeps it."""

    name: str
    rule: str
    run: Callable[[Lab], Awaitable[None]]


class Lab:
    """The engine under test.

    ``timeout`` is how many seconds any answer may take; ``slack`` how many a busy machine may
    add to the times of the protocol.
    """

    def __init__(self, command: Command, timeout: float, slack: float) -> None:
        self.command = command
        self.timeout = timeout
        self.slack = slack
        # It can't be started or does not shake hands: nothing else can be looked at.
        self.is_hopeless = False
        self._talk: Conversation | None = None
        self._options: AnnouncedOptions | None = None
        self._presets: tuple[str, ...] | None = None

    @property
    def sent(self) -> tuple[str, ...]:
        """What was last sent."""
        return tuple(self._talk.sent) if self._talk else ()

    def begin_check(self) -> None:
        """What was sent before is no longer of interest."""
        if self._talk:
            self._talk.sent.clear()

    async def fresh(self) -> Conversation:
        """An engine that has been told nothing yet."""
        await self.discard()
        try:
            self._talk = await Conversation.begin(self.command, self.timeout)
        except EngineStartError:
            self.is_hopeless = True
            raise
        return self._talk

    async def engine(self) -> Conversation:
        """An engine that is idle after ``uci``: the one there is, or a new one."""
        if self._talk is None or self._talk.connection.ended.is_set():
            talk = await self.fresh()
            try:
                await talk.shake_hands()
            except MisbehaviourError:
                self.is_hopeless = True
                raise
            talk.sent.clear()
            return talk
        return self._talk

    async def discard(self) -> None:
        """Have no engine: the next check gets a new one."""
        if self._talk:
            await self._talk.end()
            self._talk = None

    async def options(self) -> AnnouncedOptions:
        """The options that the engine announces."""
        if self._options is None:
            lines = await (await self.engine()).shake_hands()
            options = []
            for line in lines:
                if line.split()[:1] == ["option"]:
                    try:
                        options.append(parse_option(line))
                    except ValueError as error:
                        raise MisbehaviourError("option name NAME type TYPE …", str(error)) \
                            from None
            self._options = AnnouncedOptions(options)
        return self._options

    async def need(self, *names: str) -> None:
        """Raise NotApplicableError where the engine lacks one of these options."""
        options = await self.options()
        for name in names:
            if name not in options:
                raise NotApplicableError(f"it has no option {name}")

    async def need_spin(self, name: str) -> EngineOption:
        """The spin of this name, with its bounds; raises NotApplicableError where the engine
        announces no such thing."""
        await self.need(name)
        options = await self.options()
        if options.spin(name, 0) is None:
            raise NotApplicableError(f"its option {name} is no spin with bounds")
        return options[name]

    async def presets(self) -> tuple[str, ...]:
        """The presets that the engine plays."""
        if self._presets is None:
            talk = await self.engine()
            played = []
            for preset in PRESETS:
                answer = await talk.ask(f"position state {smazzate_of(preset)[0].start}")
                if not answer.errors:
                    played.append(preset)
            self._presets = tuple(played)
        return self._presets

    async def games(self) -> list[History]:
        """Smazzate of every preset that the engine plays."""
        return [game for preset in await self.presets() for game in smazzate_of(preset)]

    async def moments(self, count: int, smazzate: int = 2) -> list[History]:
        """``count`` moments of so many smazzate a preset, spread from their starts on."""
        return [History(game.start, *game.steps[:k * len(game.steps) // count])
                for preset in await self.presets() for game in smazzate_of(preset)[:smazzate]
                for k in range(count)]


@cache
def smazzate_of(preset: str) -> tuple[History, ...]:
    """Two smazzate of a preset, played to their ends at random, the same each time."""
    return tuple(played(State.deal(preset, seed=seed, dealer=seed - 1), seed) for seed in (1, 2))


def played(state: State, seed: int) -> History:
    """A smazzata that begins so, played to its end at random."""
    random = Random(seed)
    game = History(state)
    while not game.state.is_over:
        game = game.play(random.choice(game.state.legal_actions()))
    return game


def state_in(lines: list[str]) -> str:
    """The state that the answer to ``d`` or ``view`` holds."""
    states = [line[len("state:"):].strip() for line in lines if line.startswith("state:")]
    if len(states) != 1:
        raise MisbehaviourError("one line state: …", lines)
    return states[0]
