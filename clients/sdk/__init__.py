"""The Python client library: a reconnecting client that mirrors the rooms it has joined.

`Client` (client.py) is the entry point for programs. Below it, none importing the one above:
`Connection` reconnects to one node, `Nodes` follows rooms to other nodes, `ClientSession` decides
which messages to send, `Mirror` stores the views (the last three without I/O). client_events.py
defines the events of a client, bot.py the interface of a bot. Start with docs/bots.md.
"""

from bluebear.clients.sdk.bot import Bot, Chooser, MoveClock, View, answer_of
from bluebear.clients.sdk.client import AskRefused, Client
from bluebear.clients.sdk.client_events import (
    AnalysisWanted,
    Entered,
    Happening,
    HintWanted,
    Left,
    Lost,
    Missed,
    NeedSync,
    Noted,
    Present,
    Replied,
    Reply,
    RoomId,
    Seat,
    SeatWanted,
    Synced,
    Updated,
    Welcomed,
    YourMove,
    YourTurn,
)
from bluebear.clients.sdk.mirror import Mirror, MirrorError, RoomView
from bluebear.clients.sdk.session import NotInRoomError
from bluebear.clients.transport.backoff import FOREVER, Backoff
from bluebear.clients.transport.errors import ClientClosed, ClientError, HelloRefused, Unreachable
from bluebear.clients.transport.heartbeat import Silence

__all__ = [
    "FOREVER",
    "AnalysisWanted",
    "AskRefused",
    "Backoff",
    "Bot",
    "Chooser",
    "Client",
    "ClientClosed",
    "ClientError",
    "Entered",
    "Happening",
    "HelloRefused",
    "HintWanted",
    "Left",
    "Lost",
    "Mirror",
    "MirrorError",
    "Missed",
    "MoveClock",
    "NeedSync",
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
    "Synced",
    "Unreachable",
    "Updated",
    "View",
    "Welcomed",
    "YourMove",
    "YourTurn",
    "answer_of",
]
