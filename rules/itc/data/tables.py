"""The board and the cards, read from `board.toml` and `cards.toml` once and checked.

`LIMITS`, `SIDES`      single numbers, sides of the dice
`VALUE`, `SALE`        what a good is worth on the way and at a sale
`ROUTE`, `PLACE`       spaces of routes, continents and the grey market
`CARDS`                all 93 transport cards, `PLAYER_CARDS` and `NEUTRAL_CARDS` their numbers
`ACTIONS`              all action cards that differ, by what is printed on them
"""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.package_data import read_text
from bluebear.rules.itc.data.board_data import read_board
from bluebear.rules.itc.data.card_data import read_cards

_PACKAGE: Final = "bluebear.rules.itc.data"
_BOARD: Final = read_board(read_text(_PACKAGE, "board.toml"), f"{_PACKAGE}/board.toml")
_CARDS: Final = read_cards(read_text(_PACKAGE, "cards.toml"), f"{_PACKAGE}/cards.toml", _BOARD)

LIMITS: Final = _BOARD.limits
SIDES: Final = _BOARD.sides
VALUE: Final = {good: facts.transport for good, facts in _BOARD.goods.items()}
SALE: Final = {good: facts.sale for good, facts in _BOARD.goods.items()}
ROUTE: Final = _BOARD.routes
PLACE: Final = _BOARD.places
CARDS: Final = _CARDS.transport
ACTIONS: Final = _CARDS.actions
NEUTRAL_CARDS: Final = tuple(card.number for card in CARDS.values() if card.neutral)
PLAYER_CARDS: Final = tuple(card.number for card in CARDS.values() if not card.neutral)
