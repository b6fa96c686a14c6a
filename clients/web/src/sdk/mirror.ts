// The mirror of the server's state: views updated and checked, without any I/O.
//
// The twin of the Python SDK's `mirror.py`. Versions must be consecutive and checksums must fit;
// otherwise the room is not `inSync`, a snapshot is requested, and updates are ignored until it
// arrives. Plain immutable data: `receive` returns the next mirror and the client events.

import type {
  Game,
  Lobby,
  Moves,
  Note,
  Presence,
  Error as Refused,
  Room,
  ServerMessage,
  Update,
  Welcome,
} from "../protocol/messages.gen.ts";
import type { Table } from "../protocol/table.gen.ts";
import { canonical, crc } from "./checksum.ts";
import type { ClientEvent, Reply, RoomId } from "./clientEvents.ts";
import { apply } from "./patch.ts";
import { type Branch, isBranch, type Tree } from "./tree.ts";

/** The codes of the notes which report that we left a room. */
const LEFT: ReadonlySet<string> = new Set(["left", "kicked"]);

/**
 * A snapshot with a wrong checksum is a bug on one side, not an accident: more attempts are
 * useless.
 */
const SNAPSHOTS_IN_A_ROW_MAX = 3;

/** Raised when the server's snapshots do not fit their own checksums. */
export class MirrorError extends Error {
  override name = "MirrorError";
}

/** The legal lines of a seat, as received. */
export interface SeatMoves {
  readonly version: number;
  readonly lines: readonly string[];
}

/** A room's view, as the server's classes define it; its checksum has been verified. */
export type View = { readonly room: Table; readonly game?: Branch };

/** A room at one version. */
export interface RoomView {
  readonly id: RoomId;
  readonly game: string;
  readonly hash: string;
  readonly version: number;
  readonly view: View;
  readonly eyes: readonly number[];
  readonly here: readonly string[];
  readonly away: readonly string[];
  readonly moves: Readonly<Record<string, SeatMoves>>;
  readonly inSync: boolean;
}

export interface Mirror {
  readonly welcome: Welcome | undefined;
  readonly lobby: Branch;
  readonly rooms: Readonly<Record<string, RoomView>>;
  readonly games: Readonly<Record<string, Game>>;
  /** Room ids by their numbers on this connection. */
  readonly ids: Readonly<Record<number, RoomId>>;
  readonly wrongSnapshots: number;
}

export type Received = readonly [Mirror, readonly ClientEvent[]];

export const EMPTY: Mirror = {
  welcome: undefined,
  lobby: {},
  rooms: {},
  games: {},
  ids: {},
  wrongSnapshots: 0,
};

/** The seats that have a decision to make. */
export function turnOf(room: RoomView): readonly number[] {
  return room.view.room.turn;
}

/** Our seats among them. */
export function myTurnOf(room: RoomView): readonly number[] {
  return turnOf(room).filter((seat) => room.eyes.includes(seat));
}

/** A room's number on this connection; undefined while we are not in it. */
export function numberOf(mirror: Mirror, room: RoomId): number | undefined {
  const match = Object.entries(mirror.ids).find(([, each]) => each === room);
  return match === undefined ? undefined : Number(match[0]);
}

/** The rooms of this connection that wait for a snapshot, by their numbers. */
export function outOfSyncRooms(mirror: Mirror): readonly number[] {
  const waiting = Object.entries(mirror.ids).filter(([, room]) => !mirror.rooms[room]?.inSync);
  return waiting.map(([number]) => Number(number));
}

/** Drops what was valid for the connection only; the views stay, so that people can read them. */
export function disconnected(mirror: Mirror): Mirror {
  const rooms = Object.entries(mirror.rooms).map(
    ([id, room]) => [id, { ...room, inSync: false }] as const,
  );
  return { ...mirror, ids: {}, rooms: Object.fromEntries(rooms) };
}

/** A room whose updates are ignored until its next snapshot. */
export function markOutOfSync(mirror: Mirror, room: RoomId): Mirror {
  const match = mirror.rooms[room];
  return match === undefined ? mirror : withRoom(mirror, { ...match, inSync: false });
}

/** The mirror without a room that we have left. */
export function withoutRoom(mirror: Mirror, room: RoomId): Mirror {
  const { [room]: _, ...rooms } = mirror.rooms;
  const ids = Object.entries(mirror.ids).filter(([, each]) => each !== room);
  return { ...mirror, rooms, ids: Object.fromEntries(ids) };
}

/** The client events of a message, in order. Throws MirrorError if the server has a bug. */
export function receive(mirror: Mirror, message: ServerMessage): Received {
  switch (message.type) {
    case "update":
      return applyUpdate(mirror, message);
    case "done": {
      const room = message.room == null ? undefined : mirror.ids[message.room];
      return [mirror, [doneReply(message.id, room, message.version ?? undefined)]];
    }
    case "moves":
      return receiveMoves(mirror, message);
    case "room":
      return applySnapshot(mirror, message);
    case "presence":
      return receivePresence(mirror, message);
    case "note":
      return receiveNote(mirror, message);
    case "error":
      return [mirror, message.id == null ? [] : [refused(message)]];
    case "welcome": {
      const again = mirror.welcome !== undefined;
      return [{ ...mirror, welcome: message }, [{ type: "welcomed", name: message.name, again }]];
    }
    case "lobby":
      return receiveLobby(mirror, message);
    case "game": {
      const games = { ...mirror.games, [message.key]: message };
      return [{ ...mirror, games }, [{ type: "game_known", key: message.key, hash: message.hash }]];
    }
    case "answer": {
      const { id, what } = message;
      return [mirror, [{ type: "answered", id, what, body: message.body as Branch }]];
    }
    case "bye": {
      const retryMs = message.retry_ms ?? undefined;
      return [mirror, [{ type: "farewell", why: message.why, text: message.text, retryMs }]];
    }
    default:
      // Later servers may have more types.
      return [mirror, []];
  }
}

function withRoom(mirror: Mirror, room: RoomView): Mirror {
  return { ...mirror, rooms: { ...mirror.rooms, [room.id]: room } };
}

function roomByNumber(mirror: Mirror, number: number): RoomView | undefined {
  const id = mirror.ids[number];
  return id === undefined ? undefined : mirror.rooms[id];
}

function applySnapshot(mirror: Mirror, message: Room): Received {
  const id = message.id as RoomId;
  const before = mirror.rooms[id];
  const view = message.view as View;
  const room: RoomView = {
    id,
    game: message.game,
    hash: message.hash,
    version: message.version,
    view,
    eyes: message.eyes ?? [],
    here: before?.here ?? [],
    away: before?.away ?? [],
    moves: {},
    inSync: crc(view) === message.sum,
  };
  const without = withoutRoom(mirror, id);
  const ids = { ...without.ids, [message.room]: id };
  const after = withRoom({ ...without, ids }, room);
  if (!room.inSync) {
    const wrongSnapshots = mirror.wrongSnapshots + 1;
    if (wrongSnapshots >= SNAPSHOTS_IN_A_ROW_MAX) {
      throw new MirrorError(`room ${id}, version ${room.version}: wrong sum`);
    }
    return [{ ...after, wrongSnapshots }, [{ type: "need_sync", number: message.room, room: id }]];
  }
  const type = before === undefined ? "entered" : "synced";
  // If the game has changed in the meantime, our turn may be a new one.
  const same =
    before !== undefined && sameTree(before.view.game, room.view.game) ? before : undefined;
  return [
    { ...after, wrongSnapshots: 0 },
    [{ type, room: id, version: room.version, log: message.log ?? [] }, ...turnEvents(same, room)],
  ];
}

function sameTree(a: Tree | undefined, b: Tree | undefined): boolean {
  // Compared key by key: a patched tree has its keys in another order than a snapshot.
  return a === undefined || b === undefined ? a === b : canonical(a) === canonical(b);
}

function applyUpdate(mirror: Mirror, message: Update): Received {
  const room = roomByNumber(mirror, message.room);
  const answer = message.done ?? undefined;
  const answered: readonly ClientEvent[] =
    answer === undefined ? [] : [doneReply(answer, room?.id, message.version)];
  if (room === undefined) return [mirror, answered];
  const [after, happened] = step(mirror, room, message);
  return [after, [...happened, ...answered]];
}

function step(mirror: Mirror, room: RoomView, message: Update): Received {
  // A snapshot is on its way, or it was newer: its log contains the sentences.
  if (!room.inSync || message.version <= room.version) return [mirror, []];
  if (message.version !== room.version + 1) return requestSnapshot(mirror, room, message.room);
  let view: Tree = room.view;
  if (message.patch != null) view = apply(message.patch as Branch, view);
  if (message.own != null) view = apply(message.own as Branch, view);
  if (!isBranch(view)) return requestSnapshot(mirror, room, message.room);
  if (message.sum != null && crc(view) !== message.sum) {
    return requestSnapshot(mirror, room, message.room);
  }
  const next: RoomView = { ...room, version: message.version, view: view as View };
  const turn = turnOf(next);
  const left = Object.entries(room.moves).filter(([seat]) => turn.includes(Number(seat)));
  const after: RoomView = { ...next, moves: Object.fromEntries(left) };
  // After our own move a further decision is news; after a chat message it is not.
  const ours = message.done != null && view.game !== room.view.game;
  return [
    withRoom(mirror, after),
    [
      {
        type: "updated",
        room: room.id,
        version: message.version,
        text: message.text ?? [],
        events: (message.events ?? []) as readonly Branch[],
        done: message.done ?? undefined,
      },
      ...turnEvents(ours ? undefined : room, after),
    ],
  ];
}

function requestSnapshot(mirror: Mirror, room: RoomView, number: number): Received {
  return [
    withRoom(mirror, { ...room, inSync: false }),
    [{ type: "need_sync", number, room: room.id }],
  ];
}

function receiveMoves(mirror: Mirror, message: Moves): Received {
  const room = roomByNumber(mirror, message.room);
  if (room === undefined) return [mirror, []];
  const { version, seat } = message;
  const lines = message.lines ?? [];
  const after = { ...room, moves: { ...room.moves, [seat]: { version, lines } } };
  return [withRoom(mirror, after), [{ type: "your_moves", room: room.id, version, seat, lines }]];
}

function receivePresence(mirror: Mirror, message: Presence): Received {
  const room = roomByNumber(mirror, message.room);
  if (room === undefined) return [mirror, []];
  const { here = [], away = [] } = message;
  return [
    withRoom(mirror, { ...room, here, away }),
    [{ type: "present", room: room.id, here, away }],
  ];
}

function receiveNote(mirror: Mirror, message: Note): Received {
  const room = message.room == null ? undefined : mirror.ids[message.room];
  const { code, text } = message;
  if (room !== undefined && LEFT.has(code)) {
    return [withoutRoom(mirror, room), [{ type: "left", room, text }]];
  }
  const [name, sent] = [message.name ?? undefined, message.said ?? undefined];
  return [mirror, [{ type: "noted", room, code, text, name, sent }]];
}

function receiveLobby(mirror: Mirror, message: Lobby): Received {
  const base: Branch = message.full ? {} : mirror.lobby;
  const after = apply(message.patch as Branch, base);
  return [{ ...mirror, lobby: isBranch(after) ? after : {} }, [{ type: "lobby_changed" }]];
}

function doneReply(id: string, room: RoomId | undefined, version: number | undefined): ClientEvent {
  return { type: "replied", reply: { id, ok: true, room, version } };
}

function refused(error: Refused): ClientEvent {
  const reply: Reply = {
    id: error.id ?? "",
    ok: false,
    code: error.code,
    text: error.text,
    rule: error.rule ?? undefined,
    candidates: error.candidates ?? [],
    span: error.start == null || error.end == null ? undefined : [error.start, error.end],
    offers: error.offers ?? undefined,
    retryMs: error.retry_ms ?? undefined,
  };
  return { type: "replied", reply };
}

/** Whether it has become the turn of one of our seats, compared with the last view. */
function turnEvents(before: RoomView | undefined, after: RoomView): readonly ClientEvent[] {
  const old = before === undefined ? [] : myTurnOf(before);
  const seats = myTurnOf(after).filter((seat) => !old.includes(seat));
  if (seats.length === 0) return [];
  return [{ type: "your_turn", room: after.id, version: after.version, seats }];
}
