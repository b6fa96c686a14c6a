// The phrases of Tokugawa's board, and the names of its pieces.

import { phraseBook } from "../../board/parts.ts";
import type en from "./phrases.en.json";

const book = phraseBook<typeof en>({
  en: () => import("./phrases.en.json"),
  ja: () => import("./phrases.ja.json"),
});
export const { load: loadPhrases, strings, verbs } = book;
export const kindName = book.names("kind");
export const buildingName = book.names("building");
export const weatherName = book.names("weather");
export const terrainName = book.names("terrain");
export const sideName = book.names("side");
