// The pictures of the chapters of a game's rules: those of its board, and one more a chapter.

import type { GameBody, Lang, RulePictures } from "./contract.ts";
import { boardOf } from "./registry.ts";

/** The pictures of a board anew: a node that is drawn twice retains its first parent. */
type Drawn = () => RulePictures;

interface Chapters {
  readonly chaptersIn: (lang: Lang, drawn: Drawn) => RulePictures;
}

const MODULES = import.meta.glob<Chapters>("../games/*/chapters.tsx");

/** By number of the chapter; none of a game whose board draws none. */
export async function chapterPictures(game: GameBody, lang: Lang): Promise<RulePictures> {
  const board = await boardOf(game.key, game.board, lang);
  const [chapters, pictures] = await Promise.all([
    MODULES[`../games/${game.key}/chapters.tsx`]?.(),
    board.pictures?.(),
  ]);
  const drawn: Drawn = () => pictures?.picturesIn(lang, game) ?? {};
  return { ...chapters?.chaptersIn(lang, drawn), ...drawn() };
}
