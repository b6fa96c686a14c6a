"""Promise C1 over frames: two worlds that look equal to a viewer send them the same bytes.

For the eyes of every seat, and for a spectator's, the hidden part of the real game is sampled
again. Every frame that the server sends to these eyes in one world, it sends in the other.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Final

import pytest

from bluebear import rules
from bluebear.protocol import JSON, MSGPACK, Codec, RoomNumber, canonical
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.event_text import event_view, revealed
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.visibility import SPECTATOR, Eyes, Seat, but
from bluebear.server.commands.catalogue import catalogue, complete
from bluebear.server.commands.resolve import resolve
from bluebear.server.commands.scene import Scene, Speaker
from bluebear.server.room.reducer import fold
from bluebear.server.room.state import Room
from bluebear.server.rooms.broadcast import UpdateFrames
from bluebear.server.rooms.views import VersionViews, audience, snapshot
from bluebear.server.sentences import refusal_text
from tests.leak.sample_games import NAMES, Played, person_of, play_game

GAMES: Final = rules.games(("bluebear.rules", "tests.games"))
PLAYED: Final = 10
COUNTED: Final = 6
"""Of so many of these the versions of all eyes are counted, too."""
COMPLETE_MAX: Final = 50
"""So many entries of a game are all compared; of a longer one fewer and fewer, see `thinned`."""
LOOKS_EVERY: Final = 12
"""Commands, and frames with the whole log, are compared in every 12th of these positions."""

ENCODINGS: Final[tuple[tuple[Codec, Lang | None, bool], ...]] = (
    (JSON, "en", True),
    (MSGPACK, "ja", False),
    (MSGPACK, None, True),
)
TYPED: Final = ("/moves", "/board", "/info", "/hand", "/recap", "/build 1", "/nosuch", "/undo", "/")


def scene_of(room: Room, eyes: Eyes) -> Scene:
    """The context in which a line of a person with these eyes is interpreted."""
    seat = next(iter(eyes), 0)
    person = person_of(seat) if seat else "watcher"
    name = NAMES[seat - 1] if seat else "Watcher"
    return Scene(
        speaker=Speaker(person, name, True, "en"),
        games=GAMES,
        now=room.at,
        fresh=bytes(64),
        room=room,
        game=GAMES[room.table.game],
        here={person_of(each): NAMES[each - 1] for each in room.seats},
    )


def frames_of(publication: UpdateFrames, eyes: Eyes) -> list[bytes]:
    """All frames that an entry sends to one viewer: updates and snapshots in every form."""
    made = []
    for codec, lang, events in ENCODINGS:
        listening = audience(codec, RoomNumber(1), eyes, lang, events=events)
        made.append(publication.frame(listening))
        made.append(codec.encode(snapshot(publication.sights, listening, game_hash="")))
    return made


def frames_in(scene: Scene) -> list[object]:
    """What the server answers to questions and to lines, legal or not."""
    game = scene.game
    received: list[object] = [catalogue(scene), complete(scene, "/"), complete(scene, "/build ")]
    for text in TYPED:
        try:
            received.append(resolve(scene, text))
        except Refusal as refusal:
            received.append((refusal.code, refusal_text(refusal, "ja", game), refusal.candidates))
    if game is not None and scene.room is not None:
        moves = (game.plain(scene.room.game, seat) for seat in scene.eyes)
        received += [[game.grammar.format(move) for move in each] for each in moves]
    return received


def compare(played: Played, eyes: Eyes, chance: FastChance, *, complete: bool) -> bool | None:
    """Whether the eyes saw the same afterwards; None if the line is impossible in the other world.

    Fails if they did and were sent different bytes, unless they were told otherwise by events that
    reveal something to them.
    The log up to here is one and the same in both worlds, so mostly it is left out: only `whole`
    puts it into sentences again.
    """
    before, entry, folded = played
    game = GAMES[before.table.game]
    if not complete:
        before = but(before, log=before.log[-1:])
        folded = fold(before, entry, GAMES)
    view = game.seen(before.game, eyes)
    other = but(before, game=game.determinize(view, eyes, chance))
    assert game.seen(other.game, eyes) == view
    try:
        in_other = fold(other, entry, GAMES)
    except Refusal:
        return None
    worlds = UpdateFrames(before, folded, game), UpdateFrames(other, in_other, game)
    after, other_after = (canonical(each.sights.view(eyes)) for each in worlds)
    if after != other_after:
        return False
    here, there = (frames_of(each, eyes) for each in worlds)
    if here != there and revealed(folded.events, eyes) != revealed(in_other.events, eyes):
        return False
    assert here == there
    return True


def thinned(game: Iterable[Played]) -> Iterator[Played]:
    """The first entries of a game, then one in two of as many, one in three, and so on."""
    for number, played in enumerate(game):
        if number % (1 + number // COMPLETE_MAX) == 0:
            yield played


@pytest.mark.parametrize("key", GAMES)
def test_frames_and_answers_depend_only_on_what_the_eyes_see(key: str) -> None:
    """Each game is played once for all that is compared in it."""
    game, similar, requests, silent = GAMES[key], 0, 0, 0
    for seed in range(PLAYED):
        seats = random.Random(seed).randint(game.info.seats.min, game.info.seats.max)
        all_eyes: list[Eyes] = [SPECTATOR, *(frozenset((Seat(n + 1),)) for n in range(seats))]
        sampled, dealt = FastChance(seed), FastChance(seed)
        for number, played in enumerate(thinned(play_game(GAMES, key, seats, seed))):
            # One pair of eyes for each entry, in turn: all of them over the games.
            watching = all_eyes[number % len(all_eyes)]
            complete_state = number % LOOKS_EVERY == 0
            similar += compare(played, watching, sampled, complete=complete_state) is True
            if number % LOOKS_EVERY == seed % LOOKS_EVERY:
                eyes: Eyes = frozenset((Seat(1 + requests % seats),)) if requests % 3 else SPECTATOR
                compare_answers(played.before, eyes, dealt)
                requests += 1
            if seed < COUNTED:
                silent += count_silent(played, all_eyes)
    assert similar > PLAYED
    assert requests > PLAYED // 2
    assert (silent > 0) == (key == "railroad_ink"), "who can be silent in which game"


def compare_answers(room: Room, eyes: Eyes, chance: FastChance) -> None:
    """Two worlds that look equal give the same answers to questions and lines."""
    game = GAMES[room.table.game]
    other = but(room, game=game.determinize(game.seen(room.game, eyes), eyes, chance))
    assert frames_in(scene_of(room, eyes)) == frames_in(scene_of(other, eyes))


def count_silent(played: Played, all_eyes: Iterable[Eyes]) -> int:
    """How many eyes an entry does not reach: exactly those that learn nothing of it."""
    before, _, folded = played
    game, silent = GAMES[before.table.game], 0
    publication, sights_before = UpdateFrames(before, folded, game), VersionViews(before, game)
    for eyes in all_eyes:
        old, new = sights_before.view(eyes), publication.sights.view(eyes)
        received = any(event_view(event, eyes) is not None for event in folded.events)
        learns = received or canonical(old) != canonical(new)
        assert (publication.only is None or publication.only in eyes) == learns
        grown = folded.room.version_for(eyes) - before.version_for(eyes)
        assert grown == int(learns), "versions are consecutive for everybody"
        silent += not learns
    return silent
