"""The games of a server: on disk before anybody hears of a change, engines at their seats."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any

from cirulla_ai.basics.encoding import read_text
from cirulla_ai.basics.errors import PortableError
from cirulla_ai.basics.locks import try_lock
from cirulla_ai.basics.outputs import written_whole
from cirulla_ai.play import Bot, BotError, Game, GameError

__all__ = ["BusyError", "MissingError", "Sitting", "Sittings"]

LOGGER = logging.getLogger(__name__)

NAME = re.compile(r"[0-9a-f]{16}")
# Games in memory, besides those that somebody watches or an engine plays in.
MOST_IDLE = 32


class MissingError(PortableError, LookupError):
    """There is no such game."""


class BusyError(PortableError):
    """There are as many as there may be."""


class Sitting:
    """One game at the server: ``who`` sits where, in the words of the API.

    All of it belongs to the event loop's thread; engines think in another.
    """

    def __init__(self, name: str, game: Game, who: Sequence[str], path: Path,
                 threads: ThreadPoolExecutor) -> None:
        self.name, self.game, self.who = name, game, list(who)
        self.problem: dict[str, Any] | None = None
        # Whether it was thrown away.
        self.is_gone = False
        self._path, self._threads = path, threads
        self._bots: dict[int, Bot] = {}
        self._playing: asyncio.Task[None] | None = None
        self._watchers: set[asyncio.Event] = set()

    @classmethod
    def read(cls, path: Path, threads: ThreadPoolExecutor) -> Sitting:
        """From its file; raises OSError, GameError."""
        try:
            saved = json.loads(read_text(path))
            return cls(path.stem, Game.from_json(saved["game"]), list(saved["who"]), path, threads)
        except (ValueError, KeyError, TypeError) as error:
            raise GameError(f"{path}: {error}") from None

    def save(self) -> None:
        """Write it, whole or not at all; raises OSError."""
        text = json.dumps({"summary": self.summary(), "who": self.who,
                           "game": self.game.to_json()}, ensure_ascii=False)
        with written_whole(self._path) as unfinished:
            unfinished.write_text(text, "utf-8")

    def summary(self) -> dict[str, Any]:
        """What a list of games says of it."""
        game = self.game
        return {
            "game": self.name, "rules": str(game.rules).removeprefix("rules="),
            "names": [seat.name for seat in game.seats], "stage": game.stage,
            "smazzata": game.smazzata, "scores": list(game.match.scores),
            "target": game.rules.target}

    @property
    def is_idle(self) -> bool:
        """Whether nobody would miss it in memory."""
        return not self._watchers and (self._playing is None or self._playing.done())

    def change(self, what: Callable[[Game], None]) -> None:
        """Do something to the game, write it, tell whoever watches, let the engines go on.

        Whatever ``what`` raises, nothing has changed then; nor where it can't be written.
        """
        before, version = self.game.to_json(), self.game.version
        what(self.game)
        try:
            self.save()
        except OSError:
            self.game = Game.from_json(before)
            raise
        # A note is for the record alone.
        if self.game.version != version:
            self.problem = None
            self.tell()
            self.go_on()

    def tell(self) -> None:
        """Let those that watch look again."""
        for watcher in self._watchers:
            watcher.set()

    async def changes(self, pause: float) -> AsyncGenerator[bool, None]:
        """True at once and after each change, False where there was none for so many seconds."""
        watcher = asyncio.Event()
        watcher.set()
        self._watchers.add(watcher)
        try:
            while True:
                try:
                    await asyncio.wait_for(watcher.wait(), pause)
                except asyncio.TimeoutError:
                    yield False
                else:
                    watcher.clear()
                    yield True
        finally:
            self._watchers.discard(watcher)

    # --- engines --------------------------------------------------------------------------

    def go_on(self) -> None:
        """Let the engines play, where it is their turn."""
        turn = self.game.turn
        if turn is not None and not self.game.seats[turn].is_person and (
                self._playing is None or self._playing.done()):
            self._playing = asyncio.create_task(self._play())
        else:
            # What is thought about may not be there any more.
            for bot in self._bots.values():
                bot.interrupt()

    async def _play(self) -> None:
        while (turn := self.game.turn) is not None and not self.game.seats[turn].is_person:
            game, version = self.game, self.game.version
            try:
                action, thought = await asyncio.get_running_loop().run_in_executor(
                    self._threads, self._bot(turn).choose, game.view(turn).history,
                    game.decision_seed)
                if (self.game, self.game.version) == (game, version):
                    self.game.act(turn, action, thought)
                    self.save()
            except Exception as error:
                # What was interrupted may say anything.
                if (self.game, self.game.version) == (game, version):
                    LOGGER.log(logging.WARNING if isinstance(error, BotError) else logging.ERROR,
                               "%s: seat %d: %s", self.name, turn, error)
                    self.problem = {"seat": turn, "message": str(error)}
                    self.tell()
                    return
            self.tell()

    def _bot(self, seat: int) -> Bot:
        if seat not in self._bots:
            self._bots[seat] = Bot.of(self.game.seats[seat])
        return self._bots[seat]

    def dismiss(self, seat: int) -> None:
        """Send home the engine that has sat there."""
        if bot := self._bots.pop(seat, None):
            bot.interrupt()
            self._threads.submit(bot.close)

    async def close(self) -> None:
        """Stop what it has under way."""
        for bot in self._bots.values():
            bot.interrupt()
        if self._playing is not None:
            self._playing.cancel()
            with suppress(asyncio.CancelledError):
                await self._playing
        for seat in list(self._bots):
            self.dismiss(seat)


class Sittings:
    """All games of a server, a file each in a folder; a few of them in memory.

    ``most`` is how many there may be.  Raises ValueError where another server has the folder.
    """

    def __init__(self, folder: Path, threads: ThreadPoolExecutor, most: int = 10_000) -> None:
        self._folder, self._threads, self._most = folder, threads, most
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = (folder / "lock").open("wb")
        if try_lock(self._lock.fileno()) is False:
            self._lock.close()
            raise ValueError(f"{folder} is in use by another cirulla web; end that one, or give "
                             "this one another folder (CIRULLA_DATA=FOLDER)")
        # The one that was asked for last is the last.
        self._open: dict[str, Sitting] = {}
        self.count = sum(1 for _ in self._files())

    def _files(self) -> Iterator[Path]:
        return (path for path in self._folder.glob("*.json") if NAME.fullmatch(path.stem))

    def get(self, name: str) -> Sitting:
        """A game by its name; raises MissingError, OSError, GameError."""
        sitting = self._open.pop(name, None)
        if sitting is None:
            path = self._folder / f"{name}.json"
            if not NAME.fullmatch(name) or not path.is_file():
                raise MissingError(f"there is no game {name[:60]!r}")
            sitting = Sitting.read(path, self._threads)
            sitting.go_on()
        self._open[name] = sitting
        self._forget()
        return sitting

    def add(self, game: Game, who: Sequence[str]) -> Sitting:
        """A new game; raises BusyError where there are too many, OSError."""
        if self.count >= self._most:
            raise BusyError(f"there are {self.count} games; delete some first")
        name = token_hex(8)
        sitting = Sitting(name, game, who, self._folder / f"{name}.json", self._threads)
        sitting.save()
        self.count += 1
        self._open[name] = sitting
        sitting.go_on()
        self._forget()
        return sitting

    async def delete(self, name: str) -> None:
        """Throw a game away; raises MissingError, OSError."""
        path = self._folder / f"{name}.json"
        if not NAME.fullmatch(name) or not path.is_file():
            raise MissingError(f"there is no game {name[:60]!r}")
        sitting = self._open.pop(name, None)
        if sitting is not None:
            sitting.is_gone = True
            await sitting.close()
            sitting.tell()
        path.unlink()
        self.count -= 1

    def summaries(self, most: int) -> list[dict[str, Any]]:
        """What there is to say of so many games, the last changed first; a file that is no game
        is left out."""
        changed: list[tuple[float, Path]] = []
        for path in self._files():
            with suppress(OSError):
                changed.append((path.stat().st_mtime, path))
        found = []
        for when, path in sorted(changed, reverse=True)[:most]:
            with suppress(OSError, ValueError, KeyError, TypeError):
                found.append({**json.loads(read_text(path))["summary"], "changed": when})
        return found

    def _forget(self) -> None:
        """Leave in memory only what is used."""
        idle = [name for name, sitting in self._open.items() if sitting.is_idle]
        for name in idle[:max(0, len(idle) - MOST_IDLE)]:
            sitting = self._open.pop(name)
            for seat in range(len(sitting.who)):
                sitting.dismiss(seat)

    def tell(self) -> None:
        """Let everybody that watches look again."""
        for sitting in self._open.values():
            sitting.tell()

    async def close(self) -> None:
        """End all that is under way."""
        for sitting in self._open.values():
            await sitting.close()
        self._open.clear()
        self._lock.close()
