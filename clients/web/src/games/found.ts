// Which boards are there? Found by their folders; each is a chunk that is loaded with its room.

import type { Board } from "./board.ts";
import { generic } from "./generic.tsx";

const MODULES = import.meta.glob<{ readonly board: Board }>("./*/index.tsx");

/** The keys of the games that have a drawing. */
export const DRAWN: readonly string[] = Object.keys(MODULES).map(
  (path) => path.split("/")[1] ?? "",
);

/** A game's board; the text and forms where it has none, or where it cannot be loaded. */
export async function boardOf(key: string): Promise<Board> {
  const load = MODULES[`./${key}/index.tsx`];
  return load === undefined ? generic : (await load()).board;
}
