// Types that the layers above share: languages, seats, and the names of values and options.

export type Lang = "en" | "ja";

/** A seat's number at the table, from 1. */
export type Seat = number;

/** A text in both languages. */
export interface Both {
  readonly en: string;
  readonly ja: string;
}

/** The localized names of one value, and further names that may be typed for it. */
export interface ValueName {
  readonly en: string;
  readonly ja: string;
  readonly names?: readonly string[];
}

/** By slot and value. A slot that shares the names of another slot has that slot's name here. */
export type ValueNames = Readonly<Record<string, Readonly<Record<string, ValueName>> | string>>;

/** The names of an option and its values. */
export interface OptionNames {
  readonly name: string;
  readonly label: Both;
  readonly type: string;
  /** The names of the values that are keywords. */
  readonly words: Readonly<Record<string, ValueName>>;
}

/** An option of a game, as the `game` message declares it. */
export interface OptionForm extends OptionNames {
  /** Further names that may be typed. */
  readonly names: readonly string[];
  readonly default: string;
  readonly values: readonly string[];
  readonly help: Both;
}
