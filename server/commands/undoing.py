"""What `/undo` would do, said before anybody types it."""

from __future__ import annotations

from bluebear.protocol import Branch
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.commands.scene import Scene
from bluebear.server.room.playing import others_move_unseen, undo_is_free, undo_target
from bluebear.server.room.state import Phase, versions_for


def undo_ahead(scene: Scene) -> Branch:
    """Whether the speaker `can` undo, and whether that `asks` the others first.

    `line` is the move of the game that it would be inside of a turn; `version` the entry that would
    be undone else.
    """
    room, game, seat = scene.room, scene.game, scene.seat
    if room is None or game is None or seat is None or scene.phase is not Phase.PLAYING:
        return {"can": False}
    move = game.take_back(room.game, seat, "")
    if move is not None:
        return {"can": True, "asks": False, "line": game.grammar.format(move)}
    try:
        index = undo_target(room.past, seat)
    except NotAllowed:
        return {"can": False}
    free = undo_is_free(game, room.past, room.game, index)
    unseen = others_move_unseen(game, room.game, seat)
    asks = (unseen or not free) and any(voter != seat for voter in scene.all_to_agree())
    version = versions_for(room, scene.eyes)(room.past[index].version)
    return {"can": True, "asks": asks, "version": version}
