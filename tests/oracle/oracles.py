"""The oracles there are, by the key of their game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.oracle.differential import Oracle
from tests.oracle.itc.game import Itc
from tests.oracle.manhattan import Manhattan
from tests.oracle.railroad_ink import RailroadInk
from tests.oracle.tokai.game import Tokai
from tests.oracle.tokugawa.game import Tokugawa

ORACLES: Final[Mapping[str, type[Oracle]]] = {
    "itc": Itc,
    "manhattan": Manhattan,
    "railroad_ink": RailroadInk,
    "tokai": Tokai,
    "tokugawa": Tokugawa,
}
