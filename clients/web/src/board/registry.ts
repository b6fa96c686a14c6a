// The registry of boards: those of this page, found by their folders, and those that packages bring.
// Each is a module that is loaded with its room.

import type { Board, Lang } from "./contract.ts";
import { number } from "./index.ts";

const BOARDS = import.meta.glob<Board>("../games/*/index.tsx", { import: "board" });

/** The keys of the games that have a drawing. */
export const DRAWN: readonly string[] = Object.keys(BOARDS).map((path) => path.split("/")[2] ?? "");

/** A game's board with its phrases in a language, in all without one; the generic one if the game has none. */
export async function boardOf(
  key: string,
  addresses: readonly string[] = [],
  lang?: Lang,
): Promise<Board> {
  const load = BOARDS[`../games/${key}/index.tsx`];
  if (!load && !addresses[0]) return genericBoard();
  const board = await (load?.() ?? (await import("./packaged.ts")).loadPackaged(addresses));
  await board.load?.(lang);
  return guarded(board);
}

/** The board of any game. */
export async function genericBoard(): Promise<Board> {
  return guarded((await import("./generic.tsx")).generic);
}

type Make = (...given: never[]) => unknown;

const nothing = (): undefined => undefined;

/** What a function of a board returns if it throws. */
const OTHERWISE: { readonly [Name in keyof Board]?: Make } = {
  press: nothing,
  seat: () => ({}),
  progress: nothing,
  points: number,
  ended: nothing,
  task: nothing,
  chips: () => [],
  hint: nothing,
};

function safely(make: Make, otherwise: Make): Make {
  return (...given) => {
    try {
      return make(...given);
    } catch {
      return otherwise(...given);
    }
  };
}

/**
 * A board none of whose functions throws: its sentences and its clicks may depend on the view of a
 * game that has just changed, and an error in them must not stop the page. Its drawings are guarded
 * where they are drawn.
 */
export function guarded(board: Board): Board {
  const guards = Object.entries(OTHERWISE).flatMap(([name, otherwise]) => {
    const make = board[name as keyof Board];
    return typeof make === "function" ? [[name, safely(make as Make, otherwise)]] : [];
  });
  const keys = board.keys?.map((key) => ({ ...key, press: safely(key.press, nothing) }));
  return { ...board, ...Object.fromEntries(guards), ...(keys && { keys }) };
}
