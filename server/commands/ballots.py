"""Yes and no: to an open vote, or to a game that the speaker is offered."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.refusal import Ambiguous, NotAllowed
from bluebear.server.commands.acts import ANSWER_OFFER, Act, RunCommand, Write
from bluebear.server.commands.command import Arguments, Handler
from bluebear.server.commands.scene import Scene
from bluebear.server.room.state import Phase
from bluebear.server.room.votes import Accept, Refuse

_VOTING: Final = (Phase.PLAYING, Phase.PAUSED)


def ballots(scene: Scene, *, yes: bool) -> list[int]:
    """The votes that a yes or a no of the speaker would count for.

    Those in which the ballot is still out, and by a no those that the speaker has opened. A
    spectator who sees the game late has opened a vote in the room as it is.
    """
    room, seat, person = scene.now_room or scene.room, scene.seat, scene.speaker.person
    if room is None or room.table.phase not in _VOTING:
        return []
    return [
        number
        for number, vote in room.table.votes.items()
        if (seat in vote.voters and seat not in (*vote.yes, *vote.no))
        or (not yes and vote.is_asked_by(person))
    ]


def has_questions(scene: Scene) -> bool:
    """Whether there is something to answer, or may be in a moment: where the speaker plays."""
    plays = scene.seat is not None and scene.phase in _VOTING
    return plays or scene.is_offered_game or bool(ballots(scene, yes=False))


def _done_with(scene: Scene) -> list[int]:
    """The open votes that the speaker has voted in or has opened."""
    room, seat, person = scene.now_room or scene.room, scene.seat, scene.speaker.person
    votes = {} if room is None else room.table.votes
    return [n for n, vote in votes.items() if seat in vote.voters or vote.is_asked_by(person)]


def answers_with(act: type[Accept | Refuse]) -> Handler:
    """A ballot in the vote that is named, else the answer to the only open question."""

    def handle(scene: Scene, given: Arguments) -> Act:
        if "vote" in given:
            return _ballot(scene, act, given["vote"])
        mine = ballots(scene, yes=act.yes)
        questions = [act(number).line for number in mine]
        if scene.is_offered_game:
            questions.append(f"/wish {'yes' if act.yes else 'no'}")
        if len(questions) > 1:
            raise Ambiguous("which_vote", candidates=questions)
        if mine:
            return _ballot(scene, act, mine[0])
        if scene.room is None or scene.is_offered_game:
            return RunCommand(ANSWER_OFFER, act.yes)
        # What is wrong with it the vote itself says.
        for number in _done_with(scene)[:1]:
            return _ballot(scene, act, number)
        raise NotAllowed("no_vote")

    return handle


def _ballot(scene: Scene, act: type[Accept | Refuse], number: int) -> Write:
    if scene.room is None:
        raise NotAllowed("not_in_room")
    if (scene.now_room or scene.room).table.phase not in _VOTING:
        raise NotAllowed("no_vote")
    return Write.of(act(number))
