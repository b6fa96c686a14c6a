// The pictures of the chapters of a game's rules: those of its board, and one more a chapter.

import type { GameBody, Lang, RulePictures } from "./contract.ts";
import type { Chapters } from "./pictureRow.tsx";
import { boardOf } from "./registry.ts";

const CHAPTERS = import.meta.glob<{ readonly default: Chapters }>("../games/*/chapters.json");

/** By number of the chapter; none of a game whose board draws none. */
export async function chapterPictures(game: GameBody, lang: Lang): Promise<RulePictures> {
  const board = await boardOf(game.key, game.board, lang);
  const [{ rowsOf }, chapters, pictures] = await Promise.all([
    import("./pictureRow.tsx"),
    CHAPTERS[`../games/${game.key}/chapters.json`]?.(),
    board.pictures?.(),
  ]);
  // Anew each time: a node that is drawn twice retains its first parent.
  const drawn = (): RulePictures => pictures?.picturesIn(lang, game) ?? {};
  return { ...(chapters && rowsOf(chapters.default, lang, drawn, pictures?.parts)), ...drawn() };
}
