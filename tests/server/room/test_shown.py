"""The public part of a room's table: exactly these fields, whatever else the table holds."""

from __future__ import annotations

from bluebear.server.room.state import TABLE
from tests.server.fixtures import Stage

TABLE_SHOWN = {
    "id",
    "game",
    "privacy",
    "phase",
    "host",
    "options",
    "seats",
    "turn",
    "ready",
    "votes",
    "game_id",
    "commit",
    "locked",
    "rated",
    "paused_at",
    "ending",
}
CHAIR_SHOWN = {"name", "human", "bot", "seed", "resigned", "bank", "deadline", "away_until"}
VOTE_SHOWN = {"kind", "by", "voters", "yes", "no", "deadline", "seat", "target"}


def keys_below(tree: object, name: str) -> set[str]:
    """The keys of the parts of a branch, whatever they are called."""
    assert isinstance(tree, dict)
    return {key for section in tree[name].values() for key in section}


def test_no_person_s_id_no_password_and_no_invite_is_shown(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"], options=["clock 60+0"])
    stage.play("Ayu", "/password sesame", "/invite", "/invite Eva", "/ban Eva", "/pause")
    shown = TABLE.view(stage.room.table)
    absent = {key for key, value in shown.items() if value is None}
    assert set(shown) | absent <= TABLE_SHOWN
    assert keys_below(shown, "seats") <= CHAIR_SHOWN
    assert keys_below(shown, "votes") <= VOTE_SHOWN
    assert {"name", "human", "bank"} <= keys_below(shown, "seats")
    text = repr(shown)
    assert not [name for name in stage.people if stage.people[name].id in text]
