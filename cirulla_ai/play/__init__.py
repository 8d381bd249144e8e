"""A match as it is played at one table, by people and by engines, whatever shows it.

``Game`` keeps the truth, ``SeatView`` is what one seat may be shown of it, ``Bot`` plays a
seat.  There is no input or output here: the terminal and the web server stand on it.
"""

from cirulla_ai.play.bots import Bot, BotError
from cirulla_ai.play.game import Game, GameError, TurnError
from cirulla_ai.play.seats import Seat, level_seat
from cirulla_ai.play.views import SeatView

__all__ = ["Bot", "BotError", "Game", "GameError", "Seat", "SeatView", "TurnError", "level_seat"]
