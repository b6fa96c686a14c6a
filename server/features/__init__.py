"""All features, in the order in which help and the docs name their commands.

No feature imports another one. To delete one: its module, its line here, its phrases, its tests.
"""

from collections.abc import Sequence
from typing import Final

from bluebear.server.commands.arguments import FORMS
from bluebear.server.commands.command import COMMANDS, heads
from bluebear.server.features.accounts import Accounts
from bluebear.server.features.analysis import Analyses
from bluebear.server.features.chat import Chat
from bluebear.server.features.correspondence import Correspondence
from bluebear.server.features.feature import Feature, Features, Services
from bluebear.server.features.friends import Friends
from bluebear.server.features.hints import Hints
from bluebear.server.features.hosting import Hosting
from bluebear.server.features.lessons import Lessons
from bluebear.server.features.lobby import Lobby
from bluebear.server.features.matchmaking import Matchmaking
from bluebear.server.features.moderation import Moderation
from bluebear.server.features.notifications import Notifications
from bluebear.server.features.peeks import Peeks
from bluebear.server.features.play import Play, Seats
from bluebear.server.features.queries import Queries
from bluebear.server.features.ratings import Ratings
from bluebear.server.features.replays import Replays
from bluebear.server.features.room_list import RoomList
from bluebear.server.rooms.active_room import RoomHooks

__all__ = ("COMMANDS", "FEATURES", "heads", "make_features")

FEATURES: Final[Sequence[type[Feature]]] = (
    Lobby,
    RoomList,
    Lessons,
    Chat,
    Friends,
    Matchmaking,
    Ratings,
    Seats,
    Notifications,
    Correspondence,
    Hints,
    Play,
    Replays,
    Analyses,
    Peeks,
    Hosting,
    Accounts,
    Moderation,
    Queries,
)

for _each in FEATURES:
    COMMANDS.update((command.name, command) for command in _each.commands)
    FORMS.update(_each.forms)


def make_features(services: Services, hooks: RoomHooks) -> Features:
    """All features of one server; rooms call their hooks."""
    return Features([each(services) for each in FEATURES], hooks)
