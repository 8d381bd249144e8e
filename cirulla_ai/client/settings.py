"""What an engine's options are set to, as far as its client knows."""

from __future__ import annotations

from collections.abc import Mapping

from cirulla_ai.client.announced import AnnouncedOptions
from cirulla_ai.client.errors import EngineOptionError
from cirulla_ai.engine.options import Value

__all__ = ["Settings", "Texts"]

# Values as ``setoption`` writes them, by the options' own names; None for a button.
Texts = Mapping[str, str | None]


class Settings:
    """The options that an engine announced, and the values that it was given.

    >>> from cirulla_ai.client.announced import parse_option
    >>> settings = Settings(AnnouncedOptions([parse_option(
    ...     "option name MultiPV type spin default 1 min 1 max 5")]))
    >>> list(settings.lines(settings.for_lines(3)))
    ['setoption name MultiPV value 3']
    """

    def __init__(self, options: AnnouncedOptions) -> None:
        self.options = options
        self._usual: dict[str, str] = {}
        # None is: not known.
        self._sent: dict[str, str | None] = {}

    def texts(self, values: Mapping[str, Value | None]) -> Texts:
        """``values`` as texts; raises EngineOptionError for what the engine does not take."""
        texts = {name: self.options.text(name, value) for name, value in values.items()}
        return {self.options[name].name: text for name, text in texts.items()}

    def for_lines(self, multipv: int | None) -> Texts:
        """What to set for a search of so many lines, None for as many as is usual.

        Raises EngineOptionError where the engine can't.
        """
        option = self.options.get("MultiPV")
        if option is None or option.kind != "spin":
            if multipv not in (None, 1):
                raise EngineOptionError("it has no option MultiPV")
            return {}
        default = str(option.default)
        wanted = self._usual.get(option.name, default) if multipv is None else \
            self.options.text(option.name, multipv)
        if self._sent.get(option.name, default) == wanted:
            return {}
        if multipv is None and option.name not in self._usual:
            # Back to what it was, if it takes that: what is announced may be at odds.
            least = max(option.low, 1)
            wanted = default if least <= int(option.default) <= option.high else str(least)
        return {option.name: wanted}

    def lines(self, texts: Texts) -> list[str]:
        """The commands that set ``texts``; whether they are taken is not known before
        ``took``."""
        self._sent.update(dict.fromkeys(texts))
        return [f"setoption name {name}" + ("" if text is None else f" value {text}")
                for name, text in texts.items()]

    def took(self, texts: Texts, *, usual: bool) -> None:
        """The engine has taken ``texts``; ``usual``: for all searches to come."""
        values = {name: text for name, text in texts.items() if text is not None}
        self._sent.update(values)
        if usual:
            self._usual.update(values)
