// The recorded positions of the gallery, for tests.

import { readdirSync, readFileSync } from "node:fs";
import { h } from "preact";
import { render } from "preact-render-to-string";
import type { Area, Board, GameBody, Look, Position } from "../src/board/contract.ts";
import { type Parts, positionOf } from "../src/board/position.ts";

const FOLDER = new URL("../gallery/", import.meta.url);

const READ = new Map<string, unknown>();

/** A recording, the same value each time: a walk through its lines asks for it thousands of times. */
function read<T>(path: string): T {
  if (!READ.has(path)) {
    READ.set(path, JSON.parse(readFileSync(new URL(`${path}.json`, FOLDER), "utf8")));
  }
  return READ.get(path) as T;
}

/** The static data of a game. */
export function game(key: string): GameBody {
  return read<GameBody>(`${key}/game`);
}

/** The games that have recordings. */
export const KEYS: readonly string[] = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** The names of a game's recorded positions. */
export function names(key: string): readonly string[] {
  return readdirSync(new URL(key, FOLDER))
    .filter((name) => name !== "game.json")
    .map((name) => name.slice(0, -5));
}

interface Entry {
  readonly reply: boolean;
  readonly events: Parts["since"];
}

export const DESKTOP: Area = { width: 1020, height: 830, touch: false };
export const PHONE: Area = { width: 360, height: 420, touch: true };

/** A recorded position, with a text in the line. */
export function at(
  key: string,
  name: string,
  given: Partial<Parts> & { readonly text?: string; readonly look?: Look } = {},
) {
  const parts = read<Parts & { readonly log: readonly Entry[] }>(`${key}/${name}`);
  const last = parts.log.findLastIndex((entry) => entry.reply);
  return positionOf({
    view: parts.view,
    eyes: parts.eyes,
    moves: parts.moves,
    game: game(key),
    text: "",
    since: parts.log.slice(last + 1).flatMap((entry) => entry.events),
    lang: "en",
    look: {},
    answers: {},
    area: DESKTOP,
    ...given,
  });
}

/** A board and its tray, or its text, as HTML. */
export function drawn(board: Board, position: Position, as: "Drawing" | "AsText" = "Drawing") {
  const props = { position, act: () => undefined };
  const { Tray } = board;
  const tray = as === "AsText" || Tray === undefined ? "" : render(h(Tray, props));
  return render(h(board[as], props)) + tray;
}
