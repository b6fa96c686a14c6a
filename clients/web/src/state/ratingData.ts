// Ratings and rankings, as the state holds them.

/** One game with one number of seats, and how well somebody plays it. */
export interface Rating {
  readonly game: string;
  readonly seats: number;
  readonly points: number;
  /** By how much the points may be wrong. */
  readonly margin: number;
  readonly games: number;
  /** How often first, second ... */
  readonly ranks: readonly number[];
}

/** A row of a list of the best. */
export interface Rank {
  readonly rank: number;
  readonly name: string;
  readonly points: number;
  readonly margin: number;
  readonly games: number;
}

export interface Ranks {
  readonly seats: number;
  readonly rows: readonly Rank[];
}

/** What is known, by the line that asks: `/stats`, `/top GAME`. */
export interface Ratings {
  readonly personal: readonly Rating[] | undefined;
  readonly top: Readonly<Record<string, readonly Ranks[] | undefined>>;
}
