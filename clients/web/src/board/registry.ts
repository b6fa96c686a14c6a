// The registry of boards, found by their folders. Each is a chunk that is loaded with its room.

import type { Board } from "./contract.ts";
import { generic } from "./generic.tsx";
import { number } from "./index.ts";

const MODULES = import.meta.glob<{ readonly board: Board }>("../games/*/index.tsx");

/** The keys of the games that have a drawing. */
export const DRAWN: readonly string[] = Object.keys(MODULES).map(
  (path) => path.split("/")[2] ?? "",
);

/** A game's board; the generic one if the game has none, or if it cannot be loaded. */
export async function boardOf(key: string): Promise<Board> {
  const load = MODULES[`../games/${key}/index.tsx`];
  if (load === undefined) return generic;
  const { board } = await load();
  await board.load?.();
  return guarded(board);
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
