"""Acts and refusals cross as they are."""

from __future__ import annotations

from typing import Any, Final, get_args

import pytest

from bluebear.rules.core.refusal import Ambiguous, NotAllowed, NotUnderstood, Refusal
from bluebear.server.commands import acts
from bluebear.server.commands.acts import Act
from bluebear.server.link.values import act_of, pack_act, pack_refusal, refusal_of
from bluebear.server.people.account import Kind, Other, Scope

SAMPLES: Final[dict[str, Any]] = {
    "Any": {"name": "Ayu"},
    "str": "a word",
    "bool": True,
    "int": 3,
    "int | None": 3,
    "Mapping[Lang, str]": {"en": "hi", "ja": "やあ"},
    "Mapping[str, str]": {"p1": "Ayu"},
    "tuple[str, ...]": ("a", "b"),
    "tuple[Scope, ...]": tuple(Scope),
    "Lang": "ja",
    "Kind": Kind.MUTE,
    "Other": Other("p1", "Ayu"),
    "Literal['history', 'replay', 'minutes']": "minutes",
    "Literal['silence', 'banish']": "silence",
    "Callable[[], Shaped | None] | None": None,
}


def every_act(union: Any = Act) -> list[type]:
    """The classes of all acts that are no entries."""
    results: list[type] = []
    for each in get_args(union):
        results += every_act(each) if get_args(each) else [each]
    return [each for each in results if each is not acts.Write]


@pytest.mark.parametrize("kind", every_act(), ids=lambda kind: kind.__name__)
def test_every_act_appears_as_it_entered(kind: type) -> None:
    hints = kind.__annotations__
    act = kind(**{name: SAMPLES[hint] for name, hint in hints.items()})
    assert act_of(pack_act(act)) == act


def test_an_entry_does_not_cross() -> None:
    with pytest.raises(TypeError):
        pack_act(acts.Write(("hello",)))


@pytest.mark.parametrize("kind", [NotUnderstood, NotAllowed, Ambiguous])
def test_a_refusal_appears_with_all_that_its_sentence_needs(kind: type[Refusal]) -> None:
    refusal = kind("no_such", rule="1.2", candidates=("a", "b"), given="x", names=("p", "q"), n=3)
    refusal.place = (2, 5)
    made = refusal_of(pack_refusal(refusal))
    assert type(made) is kind
    assert (made.code, made.rule, made.candidates) == ("no_such", "1.2", ("a", "b"))
    assert made.params == {"given": "x", "names": ("p", "q"), "n": 3}
    assert made.place == (2, 5)
