"""A map drawn with letters: every name is there, whole, and roads lead from name to name."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bluebear.rules.core.ascii_map import Road, Spot, sketch
from bluebear.rules.core.text_layout import columns

POSITIONS = st.dictionaries(
    st.sampled_from("abcdefghijkl"),
    st.tuples(st.integers(0, 1000), st.integers(0, 1000)),
    min_size=1,
)


def test_names_stand_where_they_lie() -> None:
    spots = {"n": Spot("north", 50, 0), "s": Spot("south", 50, 100), "e": Spot("east", 100, 50)}
    lines = sketch(spots, [Road("n", "s", "-"), Road("s", "e", "*")], width=30, height=7)
    assert lines == [
        "north",
        "  -",
        "  -",
        "  -                    * east",
        "  -            ********",
        "  -    ********",
        "south *",
    ]


def test_wide_names_take_two_columns_each_sign() -> None:
    spots = {"a": Spot("東京", 0, 0), "b": Spot("名古屋", 10, 0)}
    assert sketch(spots, [Road("a", "b", "-")], width=20, height=5) == ["東京 -------- 名古屋"]


def test_a_position_alone_is_a_map() -> None:
    assert sketch({"a": Spot("alone", 5, 5)}, [], width=40, height=10) == ["alone"]


@given(POSITIONS)
def test_no_name_is_cut_and_none_covers_another(positions: dict[str, tuple[int, int]]) -> None:
    spots = {key: Spot(f"{key}-town-{key}", *at) for key, at in positions.items()}
    roads = [Road(one, other, "*") for one in spots for other in spots if one < other]
    lines = sketch(spots, roads, width=60, height=12)
    for spot in spots.values():
        assert sum(line.count(spot.label) for line in lines) == 1
    assert max(map(columns, lines)) <= 60
