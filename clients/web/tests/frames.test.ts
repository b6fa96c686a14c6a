// The recorded frames of `tests/corpus/frames` through this mirror: after each frame it shows what
// the Python mirror showed. That folder's README describes the format.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decode } from "../src/protocol/codec.ts";
import type { ServerMessage } from "../src/protocol/messages.gen.ts";
import { canonical, crc } from "../src/sdk/checksum.ts";
import type { ClientEvent, RoomId } from "../src/sdk/clientEvents.ts";
import { disconnected, EMPTY, type Mirror, receive } from "../src/sdk/mirror.ts";
import type { Tree } from "../src/sdk/tree.ts";

const FOLDER =
  process.env.BLUEBEAR_FRAMES ?? new URL("../../../tests/corpus/frames/", import.meta.url).pathname;

interface Recorded {
  readonly lost?: boolean;
  readonly json?: string;
  readonly room?: RoomId;
  readonly version?: number;
  readonly view?: string;
  readonly sum?: number;
  readonly here?: readonly string[];
  readonly away?: readonly string[];
  readonly lobby?: string;
  readonly happened?: readonly string[];
  readonly end?: End;
}

interface End {
  readonly rooms: Readonly<Record<string, unknown>>;
  readonly lobby: Tree;
  readonly games: Readonly<Record<string, string>>;
}

function read(name: string): readonly Recorded[] {
  const text = gunzipSync(readFileSync(`${FOLDER}/${name}`)).toString("utf8");
  const lines = text.trim().split("\n");
  return lines.slice(1).map((line) => JSON.parse(line) as Recorded);
}

function digest(tree: Tree): string {
  return createHash("sha256").update(canonical(tree)).digest("hex");
}

/** Our client events by the names of the Python ones. */
const NAMES: Partial<Record<ClientEvent["type"], string>> = {
  your_moves: "YourMove",
  your_turn: "YourTurn",
  lobby_changed: "LobbyChanged",
  game_known: "GameKnown",
  need_sync: "NeedSync",
};

function named(happening: ClientEvent): string {
  const { type } = happening;
  return NAMES[type] ?? type.charAt(0).toUpperCase() + type.slice(1);
}

/** The fields of a recorded line, as the mirror has them. */
function shown(mirror: Mirror, line: Recorded): Recorded {
  const room = line.room === undefined ? undefined : mirror.rooms[line.room];
  const made: Record<string, unknown> = {};
  if (room !== undefined) {
    made.room = room.id;
    if (line.view === undefined) Object.assign(made, { here: room.here, away: room.away });
    else {
      Object.assign(made, {
        version: room.version,
        view: digest(room.view),
        sum: crc(room.view),
      });
    }
  }
  if (line.lobby !== undefined) made.lobby = digest(mirror.lobby);
  return made;
}

function message(line: Recorded): ServerMessage {
  const decoded = decode(line.json ?? "");
  if (decoded === null) throw new Error("no message of ours");
  return decoded;
}

function ended(mirror: Mirror): unknown {
  const rooms = Object.values(mirror.rooms).map((room) => {
    const { id, hash: _, moves, eyes, inSync: sound, ...rest } = room;
    const lines = Object.entries(moves).map(([seat, each]) => [seat, each.lines] as const);
    return [
      id,
      { ...rest, sound, eyes: [...eyes].sort(), moves: Object.fromEntries(lines) },
    ] as const;
  });
  const games = Object.entries(mirror.games).map(([key, game]) => [key, game.hash] as const);
  return {
    rooms: Object.fromEntries(rooms),
    lobby: mirror.lobby,
    games: Object.fromEntries(games),
  };
}

const SESSIONS = existsSync(FOLDER)
  ? readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl.gz"))
  : [];

describe.skipIf(SESSIONS.length === 0)("recorded frames", () => {
  it.each(SESSIONS)("%s: the mirror shows what it showed then", (name) => {
    let mirror = EMPTY;
    const lines = read(name);
    for (const line of lines) {
      if (line.end !== undefined) {
        expect(ended(mirror)).toEqual(line.end);
      } else if (line.lost) {
        mirror = disconnected(mirror);
      } else {
        const [after, happened] = receive(mirror, message(line));
        mirror = after;
        const {
          json: _,
          msgpack: __,
          happened: names,
          ...about
        } = line as Recorded & { msgpack?: string };
        expect({ ...shown(mirror, line), happened: happened.map(named) }).toEqual({
          ...about,
          happened: names,
        });
      }
    }
  });

  it.each(SESSIONS)("%s: a missing update is noticed at once", (name) => {
    const frames = read(name).filter((line) => line.json !== undefined);
    const messages = frames.map(message);
    const dropped = messages.findIndex(
      (each, at) => each.type === "update" && messages[at + 1]?.type === "update",
    );
    let mirror = EMPTY;
    for (const each of messages.slice(0, dropped)) [mirror] = receive(mirror, each);
    const next = messages[dropped + 1];
    const happened = next === undefined ? [] : receive(mirror, next)[1];
    expect(happened.map((each) => each.type)).toContain("need_sync");
  });
});
