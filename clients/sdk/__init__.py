"""The Python client library: a reconnecting client that mirrors the rooms it has joined.

`Client` (client.py) is the entry point for programs. Below it, none importing the one above:
`ClientSession` decides which messages to send, `Mirror` stores the views, `Heartbeat` detects dead
connections (all without I/O), `Wire` is the WebSocket. client_events.py defines the events that a
client emits, bot.py the interface of a bot. Start with docs/bots.md.
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
