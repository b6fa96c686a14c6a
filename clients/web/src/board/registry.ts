// The registry of boards: those of this page, found by their folders, and those that packages bring.
// Each is a module that is loaded with its room.

import type { Board, Lang } from "./contract.ts";
import { number } from "./index.ts";

const MODULES = import.meta.glob<{ readonly board: Board }>("../games/*/index.tsx");

/** The keys of the games that have a drawing. */
export const DRAWN: readonly string[] = Object.keys(MODULES).map(
  (path) => path.split("/")[2] ?? "",
);

/** A game's board with its phrases in a language, in all without one; the generic one if the game has none. */
export async function boardOf(
  key: string,
  addresses: readonly string[] = [],
  lang?: Lang,
): Promise<Board> {
  const load = MODULES[`../games/${key}/index.tsx`];
  if (load === undefined && addresses.length === 0) return genericBoard();
  const { board } = await (load?.() ?? (await import("./packaged.ts")).loadPackaged(addresses));
  await board.load?.(lang);
  return guarded(board);
}

/** The board of any game. */
export async function genericBoard(): Promise<Board> {
  return guarded((await import("./generic.tsx")).generic);
}

/** A function that returns the result of `otherwise` if `make` throws. */
function safely<Given extends readonly unknown[], Made>(
  make: (...given: Given) => Made,
  otherwise: (...given: Given) => Made,
): (...given: Given) => Made {
  return (...given) => {
    try {
      return make(...given);
    } catch {
      return otherwise(...given);
    }
  };
}

const nothing = (): undefined => undefined;

/**
 * A board none of whose functions throws: its sentences and its clicks may depend on the view of a
 * game that has just changed, and an error in them must not stop the page. Its drawings are guarded
 * where they are drawn.
 */
export function guarded(board: Board): Board {
  const { press, seat, progress, points, ended, task, chips, hint, keys } = board;
  return {
    ...board,
    press: safely(press, nothing),
    ...(seat && { seat: safely(seat, () => ({})) }),
    ...(progress && { progress: safely(progress, nothing) }),
    ...(points && { points: safely(points, number) }),
    ...(ended && { ended: safely(ended, nothing) }),
    ...(task && { task: safely(task, nothing) }),
    ...(chips && { chips: safely(chips, () => []) }),
    ...(hint && { hint: safely(hint, nothing) }),
    ...(keys && { keys: keys.map((key) => ({ ...key, press: safely(key.press, nothing) })) }),
  };
}
