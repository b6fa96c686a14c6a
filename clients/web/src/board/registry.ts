// Which boards are there? Found by their folders; each is a chunk that is loaded with its room.

import type { Board } from "./contract.ts";
import { generic } from "./generic.tsx";
import { number } from "./index.ts";

const MODULES = import.meta.glob<{ readonly board: Board }>("../games/*/index.tsx");

/** The keys of the games that have a drawing. */
export const DRAWN: readonly string[] = Object.keys(MODULES).map(
  (path) => path.split("/")[2] ?? "",
);

/** A game's board; the text and forms where it has none, or where it cannot be loaded. */
export async function boardOf(key: string): Promise<Board> {
  const load = MODULES[`../games/${key}/index.tsx`];
  return load === undefined ? generic : guarded((await load()).board);
}

/** A function that gives what `otherwise` does where it throws. */
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
 * A board none of whose functions throws: what it says in words, or means by a click, may come from
 * the view of a game that has just changed, and a bug in that must not take the page down. Its
 * drawings are guarded where they are drawn.
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
