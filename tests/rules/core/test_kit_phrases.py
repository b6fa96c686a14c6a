"""Does the kit notice what clients could not be sent, or people not be told?"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bluebear.rules.core.conformance.case import ConformanceError, read_case
from bluebear.rules.core.conformance.static_checks import check_catalogue
from bluebear.rules.core.conformance.step_checks import check_case
from bluebear.rules.core.grammar import Grammar, Verb
from bluebear.rules.core.package_data import Chapter
from bluebear.rules.core.phrases import SUMMARY, Phrase, Phrases
from bluebear.rules.core.refusal import Confirmation
from bluebear.rules.core.slots import Choice, WordSlot
from bluebear.rules.core.visibility import Move, Seat
from tests.games.journey import JourneyGame, JourneyTexts
from tests.games.journey.state import Back, Dig, Go, Lake, Rest, Station


class Unexplained(JourneyGame):
    """Digging is rash, and no phrase says why."""

    def is_rash(self, state: Lake, seat: Seat, move: Move) -> bool:
        return isinstance(move, Dig) or super().is_rash(state, seat, move)


class DoubtfulTexts(JourneyTexts):
    """Asks for a confirmation of digging with a phrase that does not exist."""

    def confirmation(self, seat: Seat, move: Move) -> Confirmation | None:
        return Confirmation("confirm.dig", {}) if isinstance(move, Dig) else None


class Doubtful(JourneyGame):
    texts = DoubtfulTexts


class Enumerated(JourneyGame):
    """The stations are enum members, which no frame can hold."""

    grammar = Grammar(
        [
            Verb(
                "go", Go, (WordSlot("station", [Choice(each) for each in Station], kind=Station),)
            ),
            Verb("back", Back, ()),
            Verb("dig", Dig, ()),
            Verb("rest", Rest, ()),
        ]
    )


def test_a_rash_move_without_a_reason_is_noticed() -> None:
    with pytest.raises(ConformanceError, match=r"/dig is rash, and there is no phrase rash\.dig"):
        check_case(read_case(Unexplained(), []), [1])


def test_a_doubt_without_a_sentence_is_noticed() -> None:
    with pytest.raises(
        ConformanceError, match=r"/dig is asked about with confirm\.dig, which is no"
    ):
        check_case(read_case(Doubtful(), []), [1])


class Wordy(JourneyGame):
    """Its summary takes too long to read, in both languages."""

    def __init__(self) -> None:
        super().__init__()
        long = Phrase(" ".join(["word"] * 91), "語" * 221)
        self.phrases = Phrases({SUMMARY: long}, fallback=self.phrases)


def test_a_summary_that_takes_long_to_read_is_noticed() -> None:
    with pytest.raises(ConformanceError) as caught:
        check_catalogue(Wordy())
    fault = "the summary has (91, 221) words and Japanese characters, at most (90, 220)"
    assert fault in str(caught.value)


class Chaptered(JourneyGame):
    """One chapter has no text, one has it in English only, and one a text that is too long."""

    def __init__(self) -> None:
        super().__init__()
        texts = {
            "1": ("Steps.", "歩み。"),
            "2": ("", ""),
            "3": ("Dig.", ""),
            "4": ("w " * 91, "語"),
        }
        self.chapters = {number: Chapter(("", ""), text) for number, text in texts.items()}


def test_chapters_without_a_short_text_are_noticed() -> None:
    with pytest.raises(ConformanceError) as caught:
        check_catalogue(Chaptered())
    most = "words and Japanese characters, at most (90, 220)"
    assert str(caught.value).splitlines() == [
        f"journey: chapter 2 has (0, 0) {most}",
        f"journey: chapter 3 has (1, 0) {most}",
        f"journey: chapter 4 has (91, 1) {most}",
    ]


class Pointing(JourneyTexts):
    """Says something of a chapter that the rules do not have."""

    def on_this_table(self) -> Mapping[str, str]:
        return {"1": "Far.", "5": "Near."}


class Pointed(Chaptered):
    texts = Pointing


def test_a_sentence_about_the_table_belongs_to_a_chapter_with_a_text() -> None:
    with pytest.raises(ConformanceError, match=r"chapter 5 says of this table 'Near\.'"):
        check_case(read_case(Pointed(), []), [1])


class Explaining(JourneyTexts):
    explained = (Choice("boat"), Choice("lake"))


class Wordless(JourneyGame):
    """The text about a lake is too long, that about a boat is missing, the sea is not listed."""

    texts = Explaining

    def __init__(self) -> None:
        super().__init__()
        texts = {
            "about.lake": Phrase("A lake" * 30, "湖: 水"),
            "about.sea": Phrase("Sea: s", "海: 水"),
        }
        self.phrases = Phrases(texts, fallback=self.phrases)


def test_things_without_a_short_text_and_texts_about_nothing_are_noticed() -> None:
    with pytest.raises(ConformanceError) as caught:
        check_catalogue(Wordless())
    assert str(caught.value).splitlines()[-3:] == [
        "journey: no phrase about.boat",
        "journey: phrase about.sea explains nothing",
        "journey: phrase about.lake has 180 letters, at most 160, or no `Name: `",
    ]


def test_values_that_are_no_plain_strings_are_noticed() -> None:
    with pytest.raises(ConformanceError, match="values of station of /go are no plain strings"):
        check_catalogue(Enumerated())
