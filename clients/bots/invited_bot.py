"""A bot that accepts invitations and plays several games at once on one connection.

A slot is taken before anything is awaited, so two invitations never get the last one. After a
restart the program takes up all running games. Each game has its own bot, which ends with it.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final, cast

from bluebear.clients.bots.bots_toml import BotSettings, Decline, why_not
from bluebear.clients.bots.factory import CASUAL, BotInstance, NamedStrategy, made
from bluebear.clients.bots.game_slots import GameSlot, PerRoom
from bluebear.clients.bots.json_lines import ProgramError
from bluebear.clients.bots.player import Player
from bluebear.clients.bots.strategies import FallbackBot, Games, tell_over
from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import (
    AskRefused,
    Chooser,
    Client,
    ClientClosed,
    Entered,
    Happening,
    Left,
    Noted,
    NotInRoomError,
    RoomId,
    Synced,
    Updated,
    View,
    Welcomed,
)
from bluebear.protocol import Branch
from bluebear.rules.core.chance import SEAT_SEED_BYTES, FastChance

INVITATIONS_MAX: Final = 16
"""Maximum number of invitations considered at once; further ones are ignored."""
MATCH_SECONDS: Final = 30.0
"""How long a slot is reserved for a matched group until its room is created."""

log = logging.getLogger(__name__)


class InvitedBot:
    """One of the owner's bots on one server, in the running loop; call `run` once."""

    def __init__(
        self,
        url: str,
        terms: BotSettings,
        games: Games,
        texts: Texts,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._terms = terms
        self._games = games
        self._texts = texts
        self._sleep = sleep
        self._client = Client(
            url,
            token=terms.token,
            langs=(texts.lang,),
            wants={"moves"},
            bot=True,
            agent="bluebear-bots",
        )
        self._slots: list[GameSlot] = []
        self._looking: set[RoomId] = set()
        """Rooms whose invitations are being considered."""
        self._tasks = asyncio.TaskGroup()

    async def run(self) -> None:
        """Accept invitations and play until the client has ended; returns the reason.

        Raises ClientError if the server does not accept the connection.
        """
        async with self._client, self._tasks:
            log.info("%s is here and waits for invitations", self._client.name)
            player = Player(
                self._client,
                PerRoom(self._bot_in, self._over),
                seconds=float(self._terms.seconds),
                sleep=self._sleep,
                hear=self._hear,
            )
            try:
                await player.play(until_over=False)
            finally:
                for slot in list(self._slots):
                    await self._end(slot)
            ended = await self._client.closed()
            log.error("%s is not here any more: %s", self._terms.label, ended.text or ended.code)

    def _hear(self, happening: Happening) -> None:
        """Handle events beyond moves; called before the player handles them."""
        match happening:
            case Welcomed():
                self._tasks.create_task(self._return())
            case Noted(code="invited", said=str(line)):
                self._invited(line)
            case Noted(code="wish_found"):
                self._group_matched()
            case Noted(code="wish_waits" | "wish_dropped"):
                self._group_expired()
            case Entered(room=room) | Synced(room=room) | Updated(room=room):
                self._look(room)
            case Left(room=room):
                self._left(room)
            case _:
                pass

    # Slots.

    def _take(self, room: RoomId | None) -> GameSlot | None:
        """Take a free slot; None if there is none. Does not await."""
        if len(self._slots) >= self._terms.concurrency:
            return None
        slot = GameSlot(room)
        self._slots.append(slot)
        return slot

    def _slot_of(self, room: RoomId) -> GameSlot | None:
        return next((slot for slot in self._slots if slot.room == room), None)

    async def _end(self, slot: GameSlot) -> None:
        """Release a slot and end its bot."""
        if slot in self._slots:
            self._slots.remove(slot)
        if slot.waiting is not None:
            slot.waiting.cancel()
        await slot.stack.aclose()

    async def _bot_of(self, slot: GameSlot) -> BotInstance:
        """The bot of a slot, created on first use; the casual strategy if that fails."""
        async with slot.making:
            if slot.bot is None:
                seed = int.from_bytes(os.urandom(7), "big")
                try:
                    making = made(self._terms.kind, seed, self._games)
                    slot.bot = await slot.stack.enter_async_context(making)
                except ProgramError as problem:
                    log.error("%s: the program %s; another bot plays", self._terms.label, problem)
                    casual = made(NamedStrategy(CASUAL), seed, self._games)
                    slot.bot = await slot.stack.enter_async_context(casual)
            return slot.bot

    async def _bot_in(self, room: RoomId) -> Chooser:
        """The bot of a room; plays the fallback in a room whose slot was just released."""
        slot = self._slot_of(room)
        if slot is None:
            return FallbackBot(self._games, FastChance(0))
        return (await self._bot_of(slot)).bot

    def _over(self, view: View) -> None:
        slot = self._slot_of(view.room_id)
        if slot is not None and slot.bot is not None:
            tell_over(slot.bot.bot, view)

    # Resuming.

    async def _return(self) -> None:
        """Take up the running games, then accept invitations."""
        with suppress(ClientClosed, AskRefused):
            answer = await self._client.ask("rooms")
            for about in cast("Sequence[Branch]", answer["rooms"]):
                await self._take_up(about)
        await self._request_match()

    async def _take_up(self, about: Branch) -> None:
        """Take up a game from before the restart, whatever the settings say now."""
        room = RoomId(str(about["id"]))
        sits = self._client.name in cast("Sequence[str]", about["seats"])
        if not sits or about["phase"] == "over" or self._slot_of(room) is not None:
            return
        # A running game is played even beyond the number of games that the settings allow.
        self._slots.append(GameSlot(room))
        entered = await self._client.say(f"/room {room}")
        log.info("%s takes up room %s again: %s", self._terms.label, room, entered.text or "ok")

    # Invitations.

    def _invited(self, line: str) -> None:
        room = RoomId(line.removeprefix("/room "))
        is_handled = self._slot_of(room) is not None or room in self._looking
        if is_handled or len(self._looking) >= INVITATIONS_MAX:
            return
        self._looking.add(room)
        self._tasks.create_task(self._consider(room, self._take(room)))

    async def _consider(self, room: RoomId, slot: GameSlot | None) -> None:
        """Join a room and check its table; sit down, or decline and leave."""
        with suppress(ClientClosed, NotInRoomError):
            entered = await self._client.say(f"/room {room}")
            if not entered.ok:
                log.info("%s cannot go to room %s: %s", self._terms.label, room, entered.text)
            elif (refused := await self._sit_down(room, slot)) is None:
                slot = None  # the slot is in use
            else:
                await self._decline(room, refused)
        self._looking.discard(room)
        if slot is not None:
            await self._end(slot)

    async def _sit_down(self, room: RoomId, slot: GameSlot | None) -> Decline | None:
        """Sit down if table, settings and bot allow it; otherwise returns the reason."""
        if slot is None:
            return Decline("decline_busy", {"most": self._terms.concurrency})
        view = self._client.room(room)
        refused = why_not(self._terms, view, self._client.name)
        if refused is not None:
            return refused
        bot = await self._bot_of(slot)
        if not bot.plays(view.game):
            return Decline("decline_game", {"games": ", ".join(bot.games)})
        seed = os.urandom(SEAT_SEED_BYTES).hex()
        joined = await self._client.say(f"/join seed={seed}", room=room)
        if not joined.ok:
            return Decline("decline_seat", {"text": joined.text})
        log.info("%s sits in room %s", self._terms.label, room)
        self._wait(slot, float(self._terms.patience))
        return None

    async def _decline(self, room: RoomId, refused: Decline) -> None:
        """Send the host the reason and leave."""
        text = self._texts.say(refused.key, **refused.params)
        log.info("%s does not play in room %s: %s", self._terms.label, room, text)
        host = cast(Branch, self._client.room(room).view["room"]).get("host")
        await self._client.say(f"/tell {host} {text}", room=room)
        await self._client.say("/lobby", room=room)

    # Groups by match requests.

    async def _request_match(self) -> None:
        """Send match requests while a slot is free."""
        terms = self._terms
        if len(self._slots) >= terms.concurrency:
            return
        bots = "yes" if terms.casual in ("both", "bots") else "no"
        with suppress(ClientClosed):
            for game in terms.wish:
                request = f"/wish {game} players=2-{max(2, terms.seats)} bots={bots}"
                reply = await self._client.say(request)
                if not reply.ok:
                    log.error("%s: %s: %s", terms.label, request, reply.text)

    def _group_matched(self) -> None:
        slot = self._take(None)
        if slot is not None:
            self._wait(slot, MATCH_SECONDS)
        self._tasks.create_task(self._say("/wish no" if slot is None else "/wish yes"))

    def _group_expired(self) -> None:
        for slot in [slot for slot in self._slots if slot.room is None]:
            self._tasks.create_task(self._end(slot))

    async def _say(self, line: str, room: RoomId | None = None) -> None:
        with suppress(ClientClosed, NotInRoomError):
            await self._client.say(line, room=room)

    # The course of a game.

    def _look(self, room: RoomId) -> None:
        """After a change in a room: handle the start or end of a game, and check the table."""
        slot = self._slot_of(room) or self._slot_of_group(room)
        view = self._client.mirror.rooms.get(room)
        if slot is None or view is None or slot.leaving:
            return
        if view.phase == "over":
            self._leave(slot, None)
        elif view.phase != "open":
            if slot.waiting is not None:
                slot.waiting.cancel()
        elif self._client.name in _names(view.view):
            refused = why_not(self._terms, view, self._client.name)
            if refused is not None:
                self._leave(slot, refused)

    def _slot_of_group(self, room: RoomId) -> GameSlot | None:
        """The slot reserved for a group's room, if this room was joined without an invitation."""
        slot = next((slot for slot in self._slots if slot.room is None), None)
        if slot is None or room in self._looking:
            return None
        slot.room = room
        self._wait(slot, float(self._terms.patience))
        return slot

    def _left(self, room: RoomId) -> None:
        """Release the slot after the room was left or the bot was removed."""
        slot = self._slot_of(room)
        if slot is not None and not slot.leaving:
            self._tasks.create_task(self._go(slot, None))

    def _wait(self, slot: GameSlot, seconds: float) -> None:
        """Leave after `seconds`, unless a game has started."""
        if slot.waiting is not None:
            slot.waiting.cancel()
        give_up = Decline("decline_waited", {"seconds": int(seconds)})
        loop = asyncio.get_running_loop()
        slot.waiting = loop.call_later(seconds, self._leave, slot, give_up)

    def _leave(self, slot: GameSlot, refused: Decline | None) -> None:
        if not slot.leaving:
            slot.leaving = True
            self._tasks.create_task(self._go(slot, refused))

    async def _go(self, slot: GameSlot, refused: Decline | None) -> None:
        """Leave the seat and the room, and release the slot."""
        if slot.room is not None and slot.room in self._client.mirror.rooms:
            await self._say("/leave", slot.room)
            if refused is None:
                await self._say("/lobby", slot.room)
            else:
                with suppress(ClientClosed, NotInRoomError, KeyError):
                    await self._decline(slot.room, refused)
        await self._end(slot)
        await self._request_match()


def _names(view: Branch) -> set[str]:
    chairs = cast("Mapping[str, Branch]", cast(Branch, view["room"]).get("seats", {}))
    return {str(chair.get("name", "")) for chair in chairs.values()}
