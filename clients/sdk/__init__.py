"""The client library: a connection that comes back by itself, and mirrors of its rooms.

`Client` (client.py) is what programs use. Below it, each without the one above: `Session` decides
what to say next, `Mirror` keeps the views, `Pulse` tells a dead connection (all without I/O),
`Wire` is the socket. What a client hears are the values in client_events.py. `bot.py` says what a
bot is. Imports the protocol, websockets, and how addresses are read. Start with docs/bots.md.
"""

from bluebear.clients.sdk.backoff import FOREVER, Backoff
from bluebear.clients.sdk.bot import Bot, Chooser, MoveClock, View, answer_of
from bluebear.clients.sdk.client import Client
from bluebear.clients.sdk.client_events import (
    AnalysisWanted,
    Answered,
    Entered,
    Farewell,
    GameKnown,
    Happening,
    HintWanted,
    Left,
    LobbyChanged,
    Lost,
    Missed,
    NeedSync,
    NotAnswered,
    Noted,
    Present,
    Replied,
    Reply,
    RoomId,
    Seat,
    SeatWanted,
    Slowed,
    Synced,
    Updated,
    Welcomed,
    YourMove,
    YourTurn,
)
from bluebear.clients.sdk.errors import (
    AskRefused,
    ClientClosed,
    ClientError,
    HelloRefused,
    Unreachable,
)
from bluebear.clients.sdk.heartbeat import Silence
from bluebear.clients.sdk.mirror import Mirror, MirrorError, RoomView
from bluebear.clients.sdk.session import NotInRoomError
from bluebear.clients.sdk.token_store import Tokens

__all__ = [
    "FOREVER",
    "AnalysisWanted",
    "Answered",
    "AskRefused",
    "Backoff",
    "Bot",
    "Chooser",
    "Client",
    "ClientClosed",
    "ClientError",
    "Entered",
    "Farewell",
    "GameKnown",
    "Happening",
    "HelloRefused",
    "HintWanted",
    "Left",
    "LobbyChanged",
    "Lost",
    "Mirror",
    "MirrorError",
    "Missed",
    "MoveClock",
    "NeedSync",
    "NotAnswered",
    "NotInRoomError",
    "Noted",
    "Present",
    "Replied",
    "Reply",
    "RoomId",
    "RoomView",
    "Seat",
    "SeatWanted",
    "Silence",
    "Slowed",
    "Synced",
    "Tokens",
    "Unreachable",
    "Updated",
    "View",
    "Welcomed",
    "YourMove",
    "YourTurn",
    "answer_of",
]
