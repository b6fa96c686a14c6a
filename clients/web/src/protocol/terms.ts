// Types that the layers above share: languages, seats, and what values and options are called.

export type Lang = "en" | "ja";

/** A place at the table, numbered from 1. */
export type Seat = number;

/** A text in both languages. */
export interface Both {
  readonly en: string;
  readonly ja: string;
}

/** One value's words, and what else may be typed for it. */
export interface ValueName {
  readonly en: string;
  readonly ja: string;
  readonly names?: readonly string[];
}

/** By slot and value. A slot whose words are those of another one has that slot's name. */
export type ValueNames = Readonly<Record<string, Readonly<Record<string, ValueName>> | string>>;

/** What an option and its values are called. */
export interface OptionNames {
  readonly name: string;
  readonly label: Both;
  readonly type: string;
  /** What values that are words are called. */
  readonly words: Readonly<Record<string, ValueName>>;
}

/** An option of a game, as the `game` message declares it. */
export interface OptionForm extends OptionNames {
  /** Other words for it that may be typed. */
  readonly names: readonly string[];
  readonly default: string;
  readonly values: readonly string[];
  readonly help: Both;
}
