"""Those who play by themselves: ours at a level, players by name, programs."""

from __future__ import annotations

import shlex
import sys
import threading
import time

import pytest
from support.engines import REAL, fake

from cirulla_ai import State
from cirulla_ai.history import History
from cirulla_ai.play import Bot, BotError, Game, Seat, level_seat
from cirulla_ai.players.base import Player, Thought, Turn

VIEW = History(State.deal("cirulla", dealer=1, seed=7)).view(0)
PROGRAM = Seat(bot=f"cmd={shlex.join(REAL)},nodes=200")


class ThievingPlayer(Player):
    """Plays a card that it does not hold."""

    name = "thief"

    def choose(self, turn: Turn):  # type: ignore[no-untyped-def]
        from cirulla_ai import Action
        assert turn.history.start.viewer == turn.seat, "it was shown the truth"
        held = {card for hand in turn.view.hands for card in hand}
        return Action(next(card for card in ("7H", "7D", "7C", "7S", "6H") if card not in held))


class FailingPlayer(Player):
    """Fails."""

    name = "failing"

    def choose(self, turn: Turn):  # type: ignore[no-untyped-def]
        raise ZeroDivisionError("by design")


def test_what_a_seat_says_of_itself() -> None:
    assert (Seat("A").kind, level_seat(7).kind, level_seat(7).level) == ("person", "engine", 7)
    assert (Seat(bot="player=greedy").kind, PROGRAM.kind) == ("player", "cmd")
    assert Seat(bot="player=engine").level == 20
    assert PROGRAM.contender.clock.movetime is None
    # A program without a limit gets one.
    assert Seat(bot=f"cmd={shlex.join(REAL)}").contender.clock.movetime == 1000
    with pytest.raises(ValueError, match="61 letters"):
        Seat("A" * 61)
    with pytest.raises(ValueError, match="no bot"):
        Bot.of(Seat("A"))


@pytest.mark.parametrize("seat", [
    level_seat(0), level_seat(20), Seat(bot="player=greedy"), Seat(bot="player=random"),
    Seat(bot="player=flat"), PROGRAM], ids=lambda seat: seat.name)
def test_the_same_seed_plays_the_same_whatever_was_asked_before(seat: Seat) -> None:
    first, second = Bot.of(seat), Bot.of(seat)
    try:
        chosen = [first.choose(VIEW, seed)[0] for seed in (1, 2, 3)]
        assert set(chosen) <= {*VIEW.state.legal_actions()}
        assert [second.choose(VIEW, seed)[0] for seed in (3, 1, 2)] == [
            chosen[2], chosen[0], chosen[1]]
    finally:
        first.close()
        second.close()


def test_engines_say_what_they_think() -> None:
    bot = Bot.of(level_seat(20))
    _, thought = bot.choose(VIEW, 1)
    assert isinstance(thought, Thought)
    assert thought.nodes
    assert thought.centipoints is not None


def test_a_smazzata_between_bots() -> None:
    seats = (level_seat(0), PROGRAM)
    bots = [Bot.of(seat) for seat in seats]
    try:
        game = Game("cirulla", seats, seed=3)
        while game.turn is not None:
            seat = game.turn
            game.act(seat, *bots[seat].choose(game.view(seat).history, game.decision_seed))
        comments = [ply.comment for ply in game.records[0].plies]
        assert all(comment is not None and comment.nodes for comment in comments)
        assert game.records[0].names == ("level 0", seats[1].name)
    finally:
        for bot in bots:
            bot.close()


@pytest.mark.parametrize(("seat", "says"), [
    (Seat(bot="cmd=/no/such/engine"), "can't be started"),
    # It plays what is legal in another position.
    (Seat(bot=f"cmd={shlex.join(fake('good'))}"), "not legal|illegal|!3C4D7H"),
    (Seat(bot=f"player={__name__}:ThievingPlayer"), "is not legal"),
    (Seat(bot=f"player={__name__}:FailingPlayer"), "ZeroDivisionError: by design"),
    (Seat(bot=f"cmd={shlex.join(REAL)},option.Hash=-3"), "Hash"),
])
def test_a_bot_that_fails_says_why_and_may_be_asked_again(
    seat: Seat, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
    bot = Bot.of(seat)
    try:
        for _ in range(2):
            with pytest.raises(BotError, match=says):
                bot.choose(VIEW, 1)
    finally:
        bot.close()


@pytest.mark.parametrize("command", ["player=engine", f"cmd={shlex.join(REAL)}"])
def test_a_long_thought_can_be_interrupted(command: str) -> None:
    bot = Bot.of(Seat(bot=f"{command},movetime=60000"))
    try:
        began = time.monotonic()
        thread = threading.Thread(target=bot.choose, args=(VIEW, 1))
        thread.start()
        while thread.is_alive() and time.monotonic() < began + 30:
            bot.interrupt()
            thread.join(0.05)
        assert not thread.is_alive()
    finally:
        bot.close()
