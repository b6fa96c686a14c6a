"""All features, in the order in which help and the docs name their commands.

No feature imports another one. To delete one: its module, its line here, its phrases, its tests.
"""

from collections.abc import Sequence
from typing import Final

from bluebear.server.features.chat import Chat
from bluebear.server.features.feature import Feature, Features, Services
from bluebear.server.features.friends import Friends
from bluebear.server.features.matchmaking import Matchmaking
from bluebear.server.features.moderation import Moderation
from bluebear.server.features.peeks import Peeks
from bluebear.server.features.preferences import Preferences
from bluebear.server.features.ratings import Ratings

FEATURES: Final[Sequence[type[Feature]]] = (
    Chat,
    Friends,
    Matchmaking,
    Ratings,
    Preferences,
    Peeks,
    Moderation,
)


def make_features(services: Services) -> Features:
    """All features of one server."""
    return Features([each(services) for each in FEATURES])
