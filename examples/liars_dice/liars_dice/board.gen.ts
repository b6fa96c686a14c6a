// Written by `python -m bluebear.typescript`; change the Python that it is made from.

/** The part `game` of a view. */
export type View = {
  readonly seats: { readonly [key: string]: { readonly count: number; readonly dice?: readonly number[]; } };
  readonly turn: number;
  readonly bidder: number;
  readonly count: number;
  readonly face: number;
  readonly wild: boolean;
};

export type BidMade = {
  readonly event: "bid_made";
  readonly seat: number;
  readonly count: number;
  readonly face: number;
};

export type DieLost = {
  readonly event: "die_lost";
  readonly count: number;
  readonly face: number;
  readonly seat: number;
  readonly left: number;
};

export type Doubted = { readonly event: "doubted"; readonly seat: number; readonly other: number; };

export type Rolled = {
  readonly event: "rolled";
  readonly seat: number;
  readonly dice: readonly number[];
};

export type RoundBegan = { readonly event: "round_began"; readonly seat: number; readonly dice: number; };

export type Shown = {
  readonly event: "shown";
  readonly seat: number;
  readonly dice: readonly number[];
};

/** What happened, as data. */
export type Event = BidMade | DieLost | Doubted | Rolled | RoundBegan | Shown;
