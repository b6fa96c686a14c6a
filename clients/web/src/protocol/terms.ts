// Types that the layers above share: languages, seats, and texts in both languages.

import type { GameBody } from "./answers.gen.ts";

export type { Phrase as Both } from "./answers.gen.ts";

export type Lang = "en" | "ja";

/** A seat's number at the table, from 1. */
export type Seat = number;

/** By slot and value. A slot that shares the names of another slot has that slot's name here. */
export type ValueNames = GameBody["words"];
