"""Operators by the row of their commands: what they may, what they may not, and their log."""

from __future__ import annotations

from typing import Any

import pytest

from bluebear.protocol import Bye, Note
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.app import App
from bluebear.server.people.audit import (
    AUDIT,
    PAGE_SIZE,
    Audit,
    ModerationAct,
    ModerationState,
    act_of,
    folded,
)
from bluebear.server.people.names import name_key
from bluebear.server.store import GroupWriter, NotRead, PersonRow, StreamId, streams
from tests.server.fixtures import Received, Stage
from tests.server.hashes import QuickHasher, install
from tests.support.loop_clock import LoopClock

SECRET = "correct horse"
MINUTE, HOUR = 60.0, 3600.0


@pytest.fixture(autouse=True)
def hasher(monkeypatch: pytest.MonkeyPatch) -> QuickHasher:
    return install(monkeypatch)


def appoint(stage: Stage, given: str) -> dict[str, object]:
    """What `bluebear operator` gives to the server, and what comes back."""

    async def ask() -> dict[str, object]:
        try:
            return await stage.app.features.control["operator"](given)
        except Refusal as refusal:
            return {"error": refusal.code}

    sent = stage.run(ask())
    stage.settle()
    return sent


def operator(stage: Stage, name: str = "Ope") -> None:
    """A person is connected and is an operator."""
    if name not in stage.people:
        stage.come(name)
    stage.say(name, f"/register {SECRET}", lobby=True)
    assert appoint(stage, f"+{name}") == {"operators": [name]}


def deeds(stage: Stage) -> list[tuple[str, str, str, str]]:
    """The audit log: operator, action, target, reason."""
    results = map(act_of, stage.entries(AUDIT))
    return [(each.by_name, each.kind, each.name, each.why) for each in results]


# bluebear operator


def test_an_operator_is_a_person_and_not_a_name(stage: Stage) -> None:
    operator(stage)
    stage.say("Ope", "/nick Nova", lobby=True)
    stage.come("Ben")
    stage.say("Ben", "/nick Ope", lobby=True)
    assert "(announced)" in stage.say("Ope", "/announce hello", lobby=True)["Ope"][0]
    assert stage.refused("Ben", "/announce hello", lobby=True) == "not_permitted"


def test_only_who_keeps_a_name_is_named_and_it_can_be_taken_back(stage: Stage) -> None:
    stage.come("Ayu")
    assert appoint(stage, "+Ayu") == {"error": "register_first"}
    assert appoint(stage, "+Nobody") == {"error": "no_such_person"}
    operator(stage)
    assert appoint(stage, "") == {"operators": ["Ope"]}
    assert appoint(stage, "-Ope") == {"operators": []}
    assert stage.refused("Ope", "/audit", lobby=True) == "not_permitted"
    assert [each[:3] for each in deeds(stage)] == [
        ("bluebear operator", "operator", "Ope"),
        ("bluebear operator", "no_operator", "Ope"),
    ]


def test_a_bot_is_no_operator(stage: Stage) -> None:
    operator(stage)
    stage.say("Ope", "/token Helper play", lobby=True)
    assert appoint(stage, "+Helper") == {"error": "register_first"}


def test_what_holds_holds_after_a_restart(stage: Stage) -> None:
    operator(stage)
    stage.come("Ken")
    tokens = stage.people["Ope"].token, stage.people["Ken"].token
    stage.say("Ope", "/silence Ken 30", lobby=True)
    stage.say("Ope", "/lockdown on", lobby=True)
    stage.crash()
    stage.connect("Ope", token=tokens[0])
    stage.connect("Ken", token=tokens[1])
    assert stage.refused("Ken", "hello", lobby=True) == "silenced"
    assert stage.connect("Eva").received == ["! lockdown"]
    assert "(unlocked)" in stage.say("Ope", "/lockdown off", lobby=True)["Ope"][0]


def test_what_cannot_be_logged_does_not_hold(stage: Stage) -> None:
    operator(stage)
    stage.come("Ken")
    stage.journal.fail_next(1)
    assert stage.refused("Ope", "/silence Ken", lobby=True) == "not_saved"
    assert "Ken" in stage.say("Ken", "hello", lobby=True)
    assert [each[1] for each in deeds(stage)] == ["operator"]


def test_the_log_alone_gives_what_holds(stage: Stage) -> None:
    operator(stage)
    stage.come("Ken", "Mia")
    for line in ("/silence Ken 30", "/banish Mia 2", "/lockdown on", "/silence Ken 0"):
        stage.say("Ope", line, lobby=True)
    sanctions = ModerationState()
    for entry in stage.entries(AUDIT):
        sanctions = folded(sanctions, entry)
    assert sanctions == stage.app.audit.state
    assert (len(sanctions.silenced), len(sanctions.banished), sanctions.locked) == (0, 1, "")


# Never more eyes.


def test_an_operator_is_as_a_host_in_the_room_that_he_is_in(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    operator(stage)
    stage.enter("Ope")
    stage.play("Ope", "/kick Ben")
    stage.settle()
    assert stage.seat_of("Ben") is None
    assert stage.room.table.host_person == stage.people["Ayu"].id


def test_a_private_room_stays_closed_to_an_operator(stage: Stage) -> None:
    stage.table("journey", "Ayu", kind="private")
    operator(stage)
    assert stage.refused("Ope", f"/room {stage.room_id}", lobby=True) == "room_unknown"
    assert stage.room_id not in stage.say("Ope", "/whereis Ayu", lobby=True)["Ope"][0]


# /announce


def test_an_announcement_reaches_all_people_wherever_he_is(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.come("Ben")
    stage.connect("Kana", lang="ja")
    operator(stage)
    assert stage.say("Ope", "/announce tea at five", lobby=True) == {
        "Ayu": ["(announce) Announcement: tea at five"],
        "Ben": ["(announce) Announcement: tea at five"],
        "Kana": ["(announce) お知らせ: tea at five"],
        "Ope": [
            "(announced) Everybody who is connected is told.",
            "(announce) Announcement: tea at five",
        ],
    }
    assert stage.people["Ben"].last(Note).said == "tea at five"
    assert deeds(stage)[-1] == ("Ope", "announce", "", "tea at five")


# /lockdown


def test_a_lockdown_keeps_newcomers_and_new_rooms_out_and_no_other_person(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    token = stage.people["Ayu"].token
    operator(stage)
    stage.say("Ope", "/lockdown on moving house", lobby=True)
    assert stage.connect("Eva").received == ["! lockdown"]
    stage.drop("Eva")
    assert stage.refused("Ben", "/newroom journey", lobby=True) == "lockdown"
    stage.drop("Ayu")
    stage.back("Ayu", token)
    stage.play(stage.to_move(), "/dig")
    stage.say("Ope", "/lockdown off", lobby=True)
    stage.come("Eva")
    assert "(snapshot)" in stage.say("Eva", "/newroom journey", lobby=True)["Eva"]
    assert stage.refused("Ope", "/lockdown off", lobby=True) == "not_locked"
    assert [each[1:] for each in deeds(stage)[1:]] == [
        ("lockdown", "", "moving house"),
        ("lockdown_over", "", ""),
    ]


# /silence


def test_who_is_silenced_plays_on_and_says_nothing(stage: Stage) -> None:
    stage.game("journey", "Ken", "Ben")
    operator(stage)
    received = stage.say("Ope", "/silence ken 30 no swearing", lobby=True)
    assert received["Ken"] == [
        "(silenced) An operator keeps you from talking for 30 minutes."
        " You can play on. (no swearing)"
    ]
    for line in ("hello", ";Ben hello", "/tell Ben hello", "/shout hello", "/away hello"):
        assert stage.refused("Ken", line) == "silenced", line
    assert stage.refused("Ken", "/gameyell") == "silenced"
    if stage.to_move() != "Ken":
        stage.play("Ben", "/dig")
    stage.play("Ken", "/dig")
    stage.wait(31 * MINUTE)
    assert "Ben" in stage.say("Ken", "hello")


def test_a_silence_ends_by_0_also_under_another_name(stage: Stage) -> None:
    operator(stage)
    stage.come("Ken")
    stage.say("Ope", "/silence Ken", lobby=True)
    stage.say("Ken", "/nick Kenny", lobby=True)
    assert "Ken" in stage.say("Ope", "/silence Ken 0 sorry", lobby=True)
    assert "Ken" in stage.say("Ken", "hello", lobby=True)
    assert stage.refused("Ope", "/silence Ken 0", lobby=True) == "not_silenced"
    assert deeds(stage)[-1] == ("Ope", "silence_over", "Ken", "sorry")


def test_the_bot_of_a_person_silenced_is_silent(stage: Stage) -> None:
    operator(stage)
    stage.come("Ken")
    stage.say("Ken", f"/register {SECRET}", lobby=True)
    [reply] = stage.say("Ken", "/token Helper chat", lobby=True)["Ken"]
    token = next(term for term in reply.split() if len(term) > 20)
    stage.connect("Helper", token=token)
    stage.say("Ope", "/silence Ken", lobby=True)
    assert stage.refused("Helper", "hello", lobby=True) == "silenced"
    stage.drop("Helper")
    stage.connect("Helper", token=token)
    assert stage.refused("Helper", "hello", lobby=True) == "silenced"


def test_times_have_bounds_and_operators_are_spared(stage: Stage) -> None:
    operator(stage)
    stage.come("Ken")
    assert stage.refused("Ope", "/silence Ken 999999", lobby=True) == "bad_word"
    assert stage.refused("Ope", "/banish Ken 99999", lobby=True) == "bad_word"
    assert stage.refused("Ope", "/silence Nobody", lobby=True) == "no_such_person"
    assert stage.refused("Ope", "/banish Ope", lobby=True) == "operator_spared"


def test_a_silence_ends_by_the_name_of_today_too(stage: Stage) -> None:
    operator(stage)
    stage.come("Ken")
    stage.say("Ope", "/silence Ken", lobby=True)
    stage.say("Ken", "/nick Kenny", lobby=True)
    assert (
        "(may_talk) You may talk again." in stage.say("Ope", "/silence Kenny 0", lobby=True)["Ken"]
    )
    assert "Ken" in stage.say("Ken", "hello", lobby=True)


# /banish


def test_who_is_banished_is_sent_away_and_enters_by_no_path(stage: Stage) -> None:
    operator(stage)
    stage.come("Ken")
    stage.say("Ken", f"/register {SECRET}", lobby=True)
    ken = stage.people["Ken"]
    stage.say("Ope", "/banish Ken 2 cheating", lobby=True)
    bye = ken.last(Bye)
    assert (bye.why, bye.retry_ms, ken.closed is None) == ("banished", None, False)
    assert bye.text.endswith("(cheating)")
    stage.drop("Ken")
    assert stage.connect("Ken", token=ken.token).received == ["! banished"]
    stage.come("Ben")
    assert stage.refused("Ben", f"/login Ken {SECRET}", lobby=True) == "banished"
    stage.wait(2 * HOUR + 1)
    stage.drop("Ken")
    assert "! banished" not in stage.connect("Ken", token=ken.token).received


def test_a_banishment_ends_by_0(stage: Stage) -> None:
    operator(stage)
    stage.come("Ken")
    token = stage.people["Ken"].token
    stage.say("Ope", "/banish Ken", lobby=True)
    stage.drop("Ken")
    stage.say("Ope", "/banish Ken 0", lobby=True)
    assert "! banished" not in stage.connect("Ken", token=token).received
    assert stage.refused("Ope", "/banish Ken 0", lobby=True) == "not_banished"


def test_the_bot_of_a_person_banished_follows_him(stage: Stage) -> None:
    operator(stage)
    stage.come("Ken")
    stage.say("Ken", f"/register {SECRET}", lobby=True)
    [reply] = stage.say("Ken", "/token Helper play", lobby=True)["Ken"]
    token = next(term for term in reply.split() if len(term) > 20)
    helper = stage.connect("Helper", token=token)
    stage.say("Ope", "/banish Ken", lobby=True)
    assert helper.last(Bye).why == "banished"
    stage.drop("Helper")
    assert stage.connect("Helper", token=token).received == ["! banished"]


# /audit


def test_the_log_is_read_page_by_page_the_newest_first(stage: Stage) -> None:
    operator(stage)
    stage.come("Ken")
    for number in range(PAGE_SIZE):
        stage.say("Ope", f"/announce number {number}", lobby=True)
    stage.say("Ope", "/silence Ken 5 rude", lobby=True)
    [shown] = stage.say("Ope", "/audit", lobby=True)["Ope"]
    head, newest, *rest = shown.splitlines()
    assert head == "(audit) The operators' log, times in UTC, page 1 of 2:"
    assert "Ope silences Ken → " in newest
    assert newest.endswith("(rude)")
    assert len(rest) == PAGE_SIZE - 1
    [older] = stage.say("Ope", "/audit 2", lobby=True)["Ope"]
    assert older.splitlines()[1].endswith("(number 0)")
    assert older.endswith("bluebear operator names an operator: Ope")
    assert "no such page" in stage.say("Ope", "/audit 3", lobby=True)["Ope"][0]


# /serverstats


def test_how_the_server_is_doing_in_numbers(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    operator(stage)
    stage.wait(2 * HOUR)
    [reply] = stage.say("Ope", "/serverstats", lobby=True)["Ope"]
    assert "up for 2 hours. People here: 3, connections: 3, rooms in memory: 1," in reply
    assert reply.endswith("troubles: -.")
    assert stage.refused("Ayu", "/serverstats") == "not_permitted"


# /saveall and /backup


def test_all_rooms_in_memory_are_saved(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    operator(stage)
    assert stage.say("Ope", "/saveall", lobby=True) == {"Ope": ["(saved) Rooms saved: 1."]}
    stored = stage.run(stage.journal.read(streams.snapshot, StreamId(stage.room_id)))
    assert stored is not None
    assert stored.seq == stage.room.version


@pytest.mark.expects_log
def test_a_journal_in_memory_has_no_copy_and_the_log_says_none(stage: Stage) -> None:
    operator(stage)
    assert stage.refused("Ope", "/backup", lobby=True) == "backup_failed"
    assert [each[1] for each in deeds(stage)] == ["operator"]


# Several processes over one store


class Several(Stage):
    """A process that is one of several."""

    def _app(self) -> App:
        made = super()._app()
        made.upkeep.peers = True
        return made

    def id_of(self, name: str) -> str:
        row = self.run(self.app.people.find_by_name(name_key(name)))
        assert row is not None
        return row.id

    def act_on_other_node(self, *deeds: ModerationAct) -> Received:
        """Operators at another process do something, and a moment goes by."""

        async def do() -> None:
            writer = GroupWriter(self.journal)
            audit = Audit(self.journal, writer, LoopClock())
            await audit.open()
            for action in deeds:
                await audit.write(action)
            await writer.close()

        self.run(do())
        return self.wait(4)


def test_what_an_operator_does_on_another_node_holds_here_within_a_moment() -> None:
    with Several() as stage:
        operator(stage)
        stage.come("Ken", "Mia")
        ken, mia = (stage.id_of(name) for name in ("Ken", "Mia"))
        until = stage.now + 3_600_000
        received = stage.act_on_other_node(
            ModerationAct("silence", "p-x", "Far", ken, "Ken", until, "loud"),
            ModerationAct("banish", "p-x", "Far", mia, "Mia", until),
            ModerationAct("lockdown", "p-x", "Far"),
            ModerationAct("announce", "p-x", "Far", why="tea at five"),
        )
        assert stage.refused("Ken", "hello", lobby=True) == "silenced"
        assert stage.people["Mia"].last(Bye).why == "banished"
        assert stage.connect("Eva").received == ["! lockdown"]
        assert any("tea at five" in each for each in received["Ope"])
        stage.act_on_other_node(
            ModerationAct("silence_over", "p-x", "Far", ken, "Ken"),
            ModerationAct("lockdown_over", "p-x", "Far"),
        )
        assert "Ken" in stage.say("Ken", "hello", lobby=True)
        stage.act_on_other_node(
            ModerationAct("no_operator", "p-x", "Far", stage.id_of("Ope"), "Ope")
        )
        assert stage.refused("Ope", "/audit", lobby=True) == "not_permitted"
        assert [each[1] for each in deeds(stage)].count("banish") == 1


def test_a_bot_of_a_person_banished_on_another_node_is_closed_though_no_row_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Several() as stage:
        stage.come("Ken", "Ayu")
        stage.say("Ken", f"/register {SECRET}", lobby=True)
        [reply] = stage.say("Ken", "/token Helper play", lobby=True)["Ken"]
        token = next(term for term in reply.split() if len(term) > 20)
        helper = stage.connect("Helper", token=token)
        action = ModerationAct("banish", "p-x", "Far", stage.id_of("Ken"), "Ken", stage.now + 9_000)

        async def away(person: str) -> PersonRow | None:
            raise NotAllowed("not_saved")

        monkeypatch.setattr(stage.app.people, "person", away)
        stage.act_on_other_node(action)
        assert [helper.last(Bye).why, stage.people["Ken"].last(Bye).why] == ["banished"] * 2
        assert stage.people["Ayu"].closed is None


@pytest.mark.expects_log("the log cannot be read for a moment")
def test_a_log_that_cannot_be_read_now_is_read_a_moment_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Several() as stage:
        stage.come("Ken")
        until = stage.now + 3_600_000
        read, fails = stage.journal.read, [True]

        async def broken(query: Any, *given: Any, **more: Any) -> Any:  # Any: see `Store.read`
            if fails and given == (AUDIT, 0) and stage.app.audit.state.seq == 0:
                fails.clear()
                raise NotRead("away")
            return await read(query, *given, **more)

        action = ModerationAct("silence", "p-x", "Far", stage.id_of("Ken"), "Ken", until)
        stage.act_on_other_node()
        monkeypatch.setattr(stage.journal, "read", broken)
        stage.wait(4)
        assert not fails
        stage.act_on_other_node(action)
        assert stage.refused("Ken", "hello", lobby=True) == "silenced"
