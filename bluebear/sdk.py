"""The client library under its public name: `from bluebear.sdk import Client`.

All that `bluebear.clients.sdk` exports, and nothing else. Start with docs/bots.md.
"""

from bluebear.clients.sdk import *  # noqa: F403 - its `__all__` is the one list of names
