"""Does the kit ask for a secret in the state where an event has one for its seat?"""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from bluebear.rules.core.conformance.case import ConformanceError
from bluebear.rules.core.conformance.static_checks import check_catalogue
from bluebear.rules.core.event_text import event_form
from bluebear.rules.core.game import Game
from bluebear.rules.core.phrases import Phrase, Phrases
from bluebear.rules.core.visibility import Event, Owner, Public, Seat, Visibility
from tests.games.duel import DuelGame
from tests.games.sealed import SealedGame


class Whispered(Event):
    sight: ClassVar[Visibility] = Visibility.OWNER
    seat: Public[Seat]


class Noted(Event):
    seat: Public[Seat]
    card: Owner[int]


def with_event(game: Game[Any], kind: type[Event]) -> Game[Any]:
    """The game with one event more."""
    form, phrase = event_form(kind), Phrase("{seat}", "{seat}")
    texts = {key: phrase for key in (form.key, form.unseen_key) if key is not None}
    game.events = (*game.events, kind)
    game.phrases = Phrases(texts, fallback=game.phrases)
    return game


@pytest.mark.parametrize("kind", [Whispered, Noted])
def test_a_table_without_secrets_has_none_to_tell_a_seat(kind: type[Event]) -> None:
    check_catalogue(with_event(SealedGame(), kind))
    with pytest.raises(ConformanceError) as caught:
        check_catalogue(with_event(DuelGame(), kind))
    assert str(caught.value) == (
        f"duel: {kind.__name__} has something for its seat alone, and no field of Ring is Owner:"
        " is one Public by mistake?"
    )
