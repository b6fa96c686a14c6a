// Ratings and rankings, as the state stores them.

/** A person's rating in one game with one number of seats. */
export interface Rating {
  readonly game: string;
  readonly seats: number;
  readonly points: number;
  /** How far the points may be off. */
  readonly margin: number;
  readonly games: number;
  /** How often the person finished first, second ... */
  readonly ranks: readonly number[];
}

/** A row of a ranking. */
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

/** The data by the line that requests them: `/stats`, `/top GAME`. */
export interface Ratings {
  readonly personal: readonly Rating[] | undefined;
  readonly top: Readonly<Record<string, readonly Ranks[] | undefined>>;
}
