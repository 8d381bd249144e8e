"""One person at a table, line by line: what is asked, what is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from cirulla_ai.action import Action, ActionError
from cirulla_ai.analysis import Analysis
from cirulla_ai.analysis.classes import ERRORS, FORCED, Thresholds
from cirulla_ai.basics.numbers import real_number
from cirulla_ai.basics.outputs import why as refused
from cirulla_ai.basics.outputs import written_whole
from cirulla_ai.history import History
from cirulla_ai.play import Bot, BotError, Game, SeatView, TurnError
from cirulla_ai.play.advice import advise, decision, judge, last_decision, reasons
from cirulla_ai.terminal.speech import Speech

__all__ = ["Session"]

# What may be typed, in either language, and the method that answers.
COMMANDS: Mapping[str, str] = MappingProxyType({
    word: method for method, words in {
        "help": "? help h aiuto",
        "hint": "hint suggerimento suggerisci",
        "why": "why perché perche perche'",
        "undo": "undo back indietro annulla",
        "coach": "coach maestro",
        "score": "score punti punteggio",
        "log": "log giocate",
        "save": "save salva",
        "quit": "quit q exit esci",
        "table": "table tavola",
    }.items() for word in words.split()})
ON, OFF = ("", "on", "sì", "si", "si'", "yes"), ("off", "no")
# The most that a person may have to lose before the coach speaks.
MOST_LOSS = 1000.0


class Session:
    """A game at the terminal: ``run`` goes on until it is over, or there is no more input.

    ``read`` gives the next line to a prompt, None at the end of input; ``write`` shows a line;
    the game is kept in ``file`` after every change.  Raises OSError where that can't be
    written.
    """

    def __init__(
        self, game: Game, *, language: str, read: Callable[[str], str | None],
        write: Callable[[str], None], file: Path, encoding: str | None = "utf-8",
    ) -> None:
        self.game, self.file = game, file
        self.seat = next(seat for seat, who in enumerate(game.seats) if who.is_person)
        self.speech = Speech(language, self.view, encoding)
        self.words = self.speech.words
        self._read, self._write = read, write
        self._bots: dict[int, Bot] = {}
        # The least loss that the coach speaks of, None where it is silent.
        self._threshold: float | None = None
        # The last hint, and the version of the game that it was given in.
        self._hinted: tuple[int, Analysis] | None = None
        # Steps of this smazzata that were told, and whether the table is to be shown.
        self._told = 0
        self._is_new = True
        self._is_left = False

    @property
    def view(self) -> SeatView:
        """What the person sees."""
        return self.game.view(self.seat)

    def run(self) -> None:
        """Play to the end of the match, of the input, or until the person leaves."""
        rules = str(self.game.rules).removeprefix("rules=")
        self._say(self.words("playing_to", rules=rules, target=self.game.rules.target,
                             help=self.words("type_help")))
        try:
            self.keep()
            self._say(*self.speech.dealt(self.view))
            while not self._is_left:
                self._go_on()
        finally:
            for bot in self._bots.values():
                bot.close()

    def keep(self) -> None:
        """Write the game to its file, whole or not at all."""
        with written_whole(self.file) as unfinished:
            unfinished.write_text(self.game.to_text(), "utf-8")

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._write(self.speech.shown(line))

    def _ask(self, key: str) -> list[str] | None:
        """The words that are answered, None where there are no more."""
        line = self._read(self.speech.shown(self.words(key) + " "))
        if line is None:
            self._write("")
            self._leave()
            return None
        return line.split()

    # --- the course of the game ---------------------------------------------------------

    def _go_on(self) -> None:
        """One step: a bot's play, the person's, the next deal, or the end."""
        self._tell()
        view = self.view
        if view.stage != "playing":
            if self._is_new:
                self._say(*self.speech.sheet(view))
            self._is_new = False
            if view.stage == "over":
                self._say(self.speech.result(view))
                self._is_left = True
            else:
                self._between()
        elif view.is_turn:
            self._turn(view)
        else:
            self._bot_turn()

    def _tell(self) -> None:
        """What was done since it was told last."""
        view = self.view
        self._say(*self.speech.steps(view, self._told))
        self._told = len(view.history.steps)

    def _between(self) -> None:
        words = self._ask("press_enter")
        if words is None:
            return
        if not words:
            self.game.deal()
            self.keep()
            self._told, self._is_new = 0, True
            self._say(*self.speech.dealt(self.view))
        elif not self._command(words):
            self._say(self.words("not_now", text=" ".join(words)[:40]))

    def _bot_turn(self) -> None:
        seat = self.game.turn
        assert seat is not None
        if seat not in self._bots:
            self._bots[seat] = Bot.of(self.game.seats[seat])
        try:
            action, thought = self._bots[seat].choose(
                self.game.view(seat).history, self.game.decision_seed)
        except BotError as error:
            self._say(str(error))
            words = self._ask("try_again")
            if words:
                self._command(words)
            return
        self.game.act(seat, action, thought)
        self.keep()
        self._is_new = True

    def _turn(self, view: SeatView) -> None:
        if self._is_new:
            self._say(*self.speech.table(view), f"{self.words('your_turn')}:",
                      *self.speech.choices(view))
            self._is_new = False
        words = self._ask("choose")
        if words is None:
            return
        if not words:
            self._is_new = True
            return
        if self._command(words):
            return
        action = self._meant(words, view)
        if action is None:
            self._say(self.words("not_legal", text=" ".join(words)[:40],
                                 n=len(view.state.legal_actions())))
            return
        self.game.act(self.seat, action)
        self.keep()
        self._is_new = True
        self._tell()
        self._coach(view.history, action)

    def _meant(self, words: list[str], view: SeatView) -> Action | None:
        """The legal action that is meant by its number or its text."""
        legal = view.state.legal_actions()
        if len(words) != 1:
            return None
        word = words[0].rstrip(".")
        if word.isascii() and word.isdigit() and len(word) < 4:
            return legal[int(word) - 1] if 1 <= int(word) <= len(legal) else None
        try:
            action = Action(word)
        except ActionError:
            return None
        return action if action in legal else None

    def _command(self, words: list[str]) -> bool:
        """Do what is asked for; whether it was a command at all."""
        name = COMMANDS.get(words[0].lower())
        if name is None:
            return False
        getattr(self, f"_do_{name}")(words[1:])
        return True

    def _leave(self) -> None:
        self.keep()
        self._say(self.words("saved", file=self.file),
                  self.words("go_on_with", file=self.file))
        self._is_left = True

    # --- commands -----------------------------------------------------------------------

    def _do_help(self, words: list[str]) -> None:
        self._say(*self.words("help").splitlines())

    def _do_quit(self, words: list[str]) -> None:
        self._leave()

    def _do_table(self, words: list[str]) -> None:
        self._is_new = True
        if not self.view.is_turn:
            self._say(*self.speech.table(self.view))

    def _do_hint(self, words: list[str]) -> None:
        view = self.view
        if not view.is_turn:
            self._say(self.words("not_now", text="hint"))
            return
        found = advise(view.history)
        best = found.best
        self._hinted = (self.game.version, found)
        self.game.note(self.seat, f"hint: {best.action}")
        self.keep()
        self._say(self.words("hint_is", play=self.speech.play(best.action),
                             points=self.speech.amount(best.points, best.error)))

    def _do_why(self, words: list[str]) -> None:
        """What a play is worth against the best: the one that is named, or the last."""
        view = self.view
        if words:
            action = self._meant(words, view) if view.is_turn else None
            if action is None:
                self._say(self.words("not_legal", text=" ".join(words)[:40],
                                     n=len(view.state.legal_actions()) if view.is_turn else 0))
                return
            self._say(*self._judged(view.history, action))
            return
        version, found = self._hinted or (None, None)
        if version == self.game.version and found is not None and len(found.actions) > 1:
            # What was hinted at, against what comes next.
            self._say(*self._judged(view.history, found.actions[1].action))
            return
        try:
            number = last_decision(view.history)
        except ValueError:
            self._say(self.words("no_play_yet"))
            return
        self._say(*self._judged(*decision(view.history, number)))

    def _judged(self, decided: History, action: Action) -> Iterable[str]:
        """What an action is worth, and what makes the difference to the best."""
        judged = judge(decided, action)
        yield self.speech.judgement(judged)
        if judged.grade not in ("best", FORCED):
            why = self.speech.reasons(reasons(decided, judged))
            if why:
                yield why

    def _coach(self, decided: History, action: Action) -> None:
        """A word where the play that was just made loses much."""
        if self._threshold is None:
            return
        judged = judge(decided, action)
        if judged.grade in ERRORS and judged.played.loss >= self._threshold:
            self._say(self.words("coach_says", text=self.speech.judgement(judged)))
            why = self.speech.reasons(reasons(decided, judged))
            self._say(*([why] if why else []))
            if self.view.can_take_back:
                self._say(self.words("you_may_undo"))

    def _do_coach(self, words: list[str]) -> None:
        word = words[0].lower() if words else ""
        numbers = words[1:] if word in ON else words
        if word in OFF:
            self._threshold = None
            self._say(self.words("coach_off"))
            return
        try:
            loss = real_number(numbers[0].replace(",", "."), 0, MOST_LOSS) if numbers else \
                Thresholds().doubtful
        except ValueError as error:
            self._say(self.words("cannot", why=error))
            return
        self._threshold = loss
        digits = None if loss == round(loss, 1) else 2
        self._say(self.words("coach_on", loss=self.words.points(loss, digits)))

    def _do_undo(self, words: list[str]) -> None:
        try:
            self.game.take_back(self.seat)
        except TurnError as error:
            self._say(self.words("cannot", why=error))
            return
        self.keep()
        self._say(self.words("taken_back"))
        self._told, self._is_new = len(self.view.history.steps), True

    def _do_score(self, words: list[str]) -> None:
        view = self.view
        self._say(*(self.speech.sheet(view) if view.last is not None
                    else [self.words("no_sheet")]))
        if view.stage == "playing":
            self._say(self.speech.so_far(view))

    def _do_log(self, words: list[str]) -> None:
        self._say(*(list(self.speech.steps(self.view, 0)) or [self.words("nothing_done")]))

    def _do_save(self, words: list[str]) -> None:
        file = Path(" ".join(words)).expanduser() if words else self.file
        try:
            with written_whole(file) as unfinished:
                unfinished.write_text(self.game.to_text(), "utf-8")
        except (OSError, ValueError) as error:
            self._say(self.words("cannot", why=f"{file}: " + (
                refused(error) if isinstance(error, OSError) else str(error))))
            return
        self._say(self.words("saved", file=file))
