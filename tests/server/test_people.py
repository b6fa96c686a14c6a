"""People: guests, tokens, names, and how long each is kept."""

from __future__ import annotations

import hashlib

import pytest

from protocol import Hello
from rules.core.refusal import NotAllowed
from server.journal import PEOPLE, Entry
from server.limits import TOKEN_DAYS
from server.people.person import REFRESH_MS, Draft, People, Person
from tests.server.scene import Stage

DAY = 24 * 3600 * 1000


def fresh(number: int) -> bytes:
    return hashlib.shake_256(str(number).encode()).digest(64)


class Book:
    """People and the number of their next entry."""

    def __init__(self) -> None:
        self.people = People()
        self.seq = 0

    def fold(self, draft: Draft, now: int = 0) -> Person:
        self.seq += 1
        entry = Entry(PEOPLE, self.seq, "server", "", (draft.line,), draft.facts, now)
        return self.people.fold(entry)

    def guest(self, name: str, now: int = 0) -> tuple[Person, str]:
        draft = self.people.new_guest(name, human=True, fresh=fresh(self.seq), now=now)
        return self.fold(draft, now), draft.token


@pytest.fixture
def book() -> Book:
    return Book()


def test_a_guest_is_known_by_his_token(book: Book) -> None:
    ayu, token = book.guest("Ayu")
    assert book.people.by_token(token, 0) == ayu


def test_a_token_is_kept_as_a_hash(book: Book) -> None:
    ayu, token = book.guest("Ayu")
    assert token not in repr(ayu)
    assert token.encode() not in book.people.dump()


def test_another_token_is_nobodys(book: Book) -> None:
    book.guest("Ayu")
    assert book.people.by_token("0" * 32, 0) is None


@pytest.mark.parametrize("name", ["Ayu", "ayu", "Ａｙｕ"])
def test_a_name_is_had_once(book: Book, name: str) -> None:
    book.guest("Ayu")
    with pytest.raises(NotAllowed, match="name_taken"):
        book.guest(name)


def test_a_name_on_its_way_is_taken(book: Book) -> None:
    book.people.new_guest("Ayu", human=True, fresh=fresh(1), now=0)
    with pytest.raises(NotAllowed, match="name_taken"):
        book.people.new_guest("Ayu", human=True, fresh=fresh(2), now=0)


def test_a_name_that_was_not_saved_is_free_again(book: Book) -> None:
    draft = book.people.new_guest("Ayu", human=True, fresh=fresh(1), now=0)
    book.people.release(draft)
    book.guest("Ayu")


def test_a_name_lives_as_long_as_the_token(book: Book) -> None:
    _, token = book.guest("Ayu")
    last = TOKEN_DAYS * DAY
    assert book.people.by_token(token, last) is not None
    assert book.people.by_token(token, last + 1) is None
    with pytest.raises(NotAllowed, match="name_taken"):
        book.guest("Ayu", last)
    other, _ = book.guest("Ayu", last + 1)
    assert book.people.by_name("Ayu", last + 1) == other


def test_using_the_token_keeps_it_alive(book: Book) -> None:
    ayu, token = book.guest("Ayu")
    draft = book.people.seen(ayu, 20 * DAY)
    assert draft is not None
    book.fold(draft, 20 * DAY)
    assert book.people.by_token(token, 40 * DAY) is not None


def test_its_use_is_noted_once_a_day(book: Book) -> None:
    ayu, _ = book.guest("Ayu")
    assert book.people.seen(ayu, REFRESH_MS - 1) is None
    assert book.people.seen(ayu, REFRESH_MS) is not None


def test_a_new_name_frees_the_old_one(book: Book) -> None:
    ayu, token = book.guest("Ayu")
    book.fold(book.people.new_name(ayu.id, "Aya", 0))
    renamed = book.people.by_token(token, 0)
    assert renamed is not None
    assert (renamed.id, renamed.name) == (ayu.id, "Aya")
    book.guest("Ayu")


def test_one_may_write_ones_own_name_otherwise(book: Book) -> None:
    ayu, _ = book.guest("ayu")
    book.fold(book.people.new_name(ayu.id, "Ayu", 0))
    found = book.people.by_name("AYU", 0)
    assert found is not None
    assert found.name == "Ayu"


def test_everybody_is_dumped_and_loaded(book: Book) -> None:
    for name in ("Ayu", "Ben", "Cem"):
        book.guest(name)
    loaded = People()
    loaded.load(book.people.dump())
    assert list(loaded) == list(book.people)


# At a server.


def test_a_guest_is_welcome_when_the_entry_is_written(stage: Stage) -> None:
    stage.come("Ayu")
    assert [entry.lines for entry in stage.entries(PEOPLE)] == [("@guest Ayu",)]


def test_a_guest_is_the_same_person_after_a_restart(stage: Stage) -> None:
    stage.come("Ayu")
    before = stage.people["Ayu"]
    stage.restart()
    after = stage.connect("Ayu", token=before.token)
    assert (after.id, after.name) == (before.id, "Ayu")


def test_nobody_who_has_no_good_token_is_let_in(stage: Stage) -> None:
    stranger = stage.connect("somebody", token="0" * 32)  # nobody's
    assert stranger.heard == ["! unauthorized"]


def test_a_name_that_is_taken_can_be_changed_in_the_next_hello(stage: Stage) -> None:
    stage.come("Ayu")
    other = stage.connect("AYU", known_as="other")
    assert other.heard == ["! name_taken"]
    assert other.closed is None


def test_two_hellos_at_once_make_one_guest(stage: Stage) -> None:
    listener = stage.dial("Ayu")
    for name in ("Ayu", "Aya"):
        stage.throw("Ayu", listener.codec.encode(Hello(name=name, langs=("en",))))
    stage.settle()
    assert len(stage.entries(PEOPLE)) == 1
    assert listener.heard == ["! bad_message"]
    assert listener.name == "Ayu"


@pytest.mark.expects_log("the disk is full")
def test_a_guest_who_cannot_be_saved_is_told_so(stage: Stage) -> None:
    stage.journal.fail_next(1)
    assert stage.connect("Ayu").heard == ["! not_saved"]
    assert stage.connect("Ayu", known_as="again").name == "Ayu"


def test_a_new_name_is_heard_where_one_is(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    assert stage.say("Ben", "/nick Benno") == {
        "Ayu": ["Ben is called Benno now."],
        "Ben": ["(nick) You are called Benno now.", "Ben is called Benno now."],
    }


def test_who_was_renamed_elsewhere_is_called_so_when_he_enters(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    token = stage.people["Ben"].token
    stage.drop("Ben")
    stage.connect("Ben", token=token)
    stage.say("Ben", "/nick Benno", lobby=True)
    heard = stage.say("Ben", f"/room {stage.room_id}", lobby=True)
    assert heard["Ayu"] == ["Ben is called Benno now."]


@pytest.mark.parametrize(
    ("name", "code"), [("Ben", "name_taken"), ("ＢＥＮ", "name_taken"), ("server", "name_bad")]
)
def test_a_new_name_is_held_to_the_same_rules(stage: Stage, name: str, code: str) -> None:
    stage.come("Ayu", "Ben")
    assert stage.refused("Ayu", f"/nick {name}", lobby=True) == code
