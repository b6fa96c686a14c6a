// Written by `python -m bluebear.typescript`; change the Python that it is made from.

/** The part `game` of a view. */
export type View = {
  readonly rules: number;
  readonly openchoices: boolean;
  readonly settlelast: boolean;
  readonly strict: boolean;
  readonly through: number;
  readonly turnlimit: number;
  readonly phase: "prebuy" | "start" | "region" | "dest" | "move" | "buy" | "sell" | "auction" | "deal" | "over";
  readonly first: number;
  readonly active: number;
  readonly turns: number;
  readonly extra: boolean;
  readonly granted: boolean;
  readonly roll: number;
  readonly legs: readonly (readonly [line: string, point: string, turn: string])[];
  readonly dues: readonly (readonly [payee: number, amount: number])[];
  readonly owners: { readonly [key: string]: number };
  readonly auction?: {
    readonly line: string;
    readonly best: number;
    readonly by?: number;
    readonly bidders: readonly number[];
  };
  readonly closing: boolean;
  readonly fallen: readonly number[];
  readonly ending?: "last_line" | "alone" | "turn_limit";
  readonly seats: { readonly [key: string]: {
    readonly cash: number;
    readonly express: boolean;
    readonly trail: readonly string[];
    readonly destination?: string;
    readonly payoff: number;
    readonly through: readonly string[];
    readonly hand: readonly string[];
    readonly chosen: boolean;
    readonly basket?: { readonly lines: readonly string[]; readonly express: boolean; };
  } };
};

/** The static data. */
export type Fixed = {
  readonly canvas: readonly [number, number];
  readonly express_ticket_price: number;
  readonly lines: readonly {
    readonly id: string;
    readonly en: string;
    readonly ja: string;
    readonly price: number;
    readonly colour: string;
    readonly shinkansen: boolean;
    readonly loop: boolean;
    readonly paths: readonly (readonly string[])[];
  }[];
  readonly points: { readonly [key: string]: {
    readonly en: string;
    readonly ja: string;
    readonly x: number;
    readonly y: number;
    readonly region?: string;
    readonly skip?: boolean;
  } };
  readonly regions: readonly {
    readonly id: string;
    readonly en: string;
    readonly ja: string;
    readonly destinations: readonly string[];
    readonly table: { readonly odd: readonly string[]; readonly even: readonly string[]; };
  }[];
  readonly region_table: { readonly odd: readonly string[]; readonly even: readonly string[]; };
  readonly payoffs: readonly (readonly number[])[];
};

export type Arrived = {
  readonly event: "arrived";
  readonly seat: number;
  readonly point: string;
  readonly payoff: number;
  readonly cash: number;
};

export type AuctionBegan = {
  readonly event: "auction_began";
  readonly seat: number;
  readonly line: string;
  readonly least: number;
};

export type AuctionWon = {
  readonly event: "auction_won";
  readonly seat: number;
  readonly line: string;
  readonly owner: number;
  readonly price: number;
};

export type Bought = {
  readonly event: "bought";
  readonly seat: number;
  readonly line: string;
  readonly price: number;
  readonly cash: number;
};

export type BoughtNothing = { readonly event: "bought_nothing"; readonly seat: number; };

export type CannotBid = { readonly event: "cannot_bid"; readonly seat: number; };

export type Chose = {
  readonly event: "chose";
  readonly seat: number;
  readonly lines?: readonly string[];
  readonly express?: boolean;
  readonly price?: number;
};

export type Dealt = {
  readonly event: "dealt";
  readonly seat: number;
  readonly lines: readonly string[];
};

export type DestinationSet = {
  readonly event: "destination_set";
  readonly seat: number;
  readonly origin: string;
  readonly destination: string;
  readonly payoff: number;
};

export type ExtraGranted = { readonly event: "extra_granted"; readonly seat: number; };

export type GameOver = {
  readonly event: "game_over";
  readonly winner: readonly number[];
  readonly assets: number;
};

export type HalfLost = { readonly event: "half_lost"; readonly seat: number; readonly point: string; };

export type HasBid = {
  readonly event: "has_bid";
  readonly seat: number;
  readonly line: string;
  readonly bid: number;
};

export type HomeRegion = {
  readonly event: "home_region";
  readonly seat: number;
  readonly region: string;
};

export type LastLineSold = { readonly event: "last_line_sold"; readonly seat: number; };

export type LeftAlone = { readonly event: "left_alone"; readonly seat: number; };

export type LimitReached = { readonly event: "limit_reached"; readonly turns: number; };

export type LinesReturned = {
  readonly event: "lines_returned";
  readonly seat: number;
  readonly lines: readonly string[];
};

export type NobodyBid = { readonly event: "nobody_bid"; readonly line: string; };

export type PaidBank = { readonly event: "paid_bank"; readonly seat: number; readonly amount: number; };

export type PaidOwner = {
  readonly event: "paid_owner";
  readonly seat: number;
  readonly other: number;
  readonly amount: number;
};

export type Passed = { readonly event: "passed"; readonly seat: number; };

export type PlaysFirst = { readonly event: "plays_first"; readonly seat: number; };

export type Prebought = {
  readonly event: "prebought";
  readonly seat: number;
  readonly lines: readonly string[];
  readonly price: number;
  readonly cash: number;
};

export type RegionNamed = {
  readonly event: "region_named";
  readonly seat: number;
  readonly region: string;
};

export type Rode = {
  readonly event: "rode";
  readonly seat: number;
  readonly line: string;
  readonly point: string;
  readonly steps: number;
  readonly left: number;
};

export type RolledCity = {
  readonly event: "rolled_city";
  readonly seat: number;
  readonly coloured: number;
  readonly whites: readonly number[];
  readonly region: string;
  readonly point: string;
};

export type RolledExtra = {
  readonly event: "rolled_extra";
  readonly seat: number;
  readonly steps: number;
};

export type RolledForOrder = {
  readonly event: "rolled_for_order";
  readonly seat: number;
  readonly dice: readonly number[];
  readonly total: number;
};

export type RolledFree = {
  readonly event: "rolled_free";
  readonly seat: number;
  readonly coloured: number;
  readonly whites: readonly number[];
  readonly region: string;
};

export type RolledRegion = {
  readonly event: "rolled_region";
  readonly seat: number;
  readonly coloured: number;
  readonly whites: readonly number[];
  readonly region: string;
};

export type RolledSteps = {
  readonly event: "rolled_steps";
  readonly seat: number;
  readonly whites: readonly number[];
  readonly steps: number;
};

export type SetOff = {
  readonly event: "set_off";
  readonly seat: number;
  readonly other: number;
  readonly amount: number;
};

export type Short = {
  readonly event: "short";
  readonly seat: number;
  readonly cash: number;
  readonly owed: number;
};

export type SoldToBank = {
  readonly event: "sold_to_bank";
  readonly seat: number;
  readonly line: string;
  readonly amount: number;
};

export type StartTaken = {
  readonly event: "start_taken";
  readonly seat: number;
  readonly point: string;
  readonly other: number;
};

export type Started = { readonly event: "started"; readonly seat: number; readonly point: string; };

export type Stranded = { readonly event: "stranded"; readonly seat: number; readonly steps: number; };

export type ThroughEnded = {
  readonly event: "through_ended";
  readonly seat: number;
  readonly lines: readonly string[];
};

export type ThroughGot = {
  readonly event: "through_got";
  readonly seat: number;
  readonly line: string;
  readonly owner: number;
};

export type TicketBought = {
  readonly event: "ticket_bought";
  readonly seat: number;
  readonly price: number;
  readonly cash: number;
};

export type TicketPrebought = { readonly event: "ticket_prebought"; readonly seat: number; };

export type Tied = { readonly event: "tied"; readonly seats: readonly number[]; };

export type TurnBegan = { readonly event: "turn_began"; readonly seat: number; readonly turn: number; };

export type WentBack = {
  readonly event: "went_back";
  readonly seat: number;
  readonly point: string;
  readonly left: number;
};

export type WentBankrupt = {
  readonly event: "went_bankrupt";
  readonly seat: number;
  readonly missing: number;
};

/** What happened, as data. */
export type Event = Arrived | AuctionBegan | AuctionWon | Bought | BoughtNothing | CannotBid | Chose | Dealt | DestinationSet | ExtraGranted | GameOver | HalfLost | HasBid | HomeRegion | LastLineSold | LeftAlone | LimitReached | LinesReturned | NobodyBid | PaidBank | PaidOwner | Passed | PlaysFirst | Prebought | RegionNamed | Rode | RolledCity | RolledExtra | RolledForOrder | RolledFree | RolledRegion | RolledSteps | SetOff | Short | SoldToBank | StartTaken | Started | Stranded | ThroughEnded | ThroughGot | TicketBought | TicketPrebought | Tied | TurnBegan | WentBack | WentBankrupt;

/** What the turn of a seat costs so far, and the lines from its pawn; without a turn nothing. */
export type Fares = {
  readonly dues: readonly Due[];
  readonly lines: readonly LineFare[];
  readonly seat?: number | null;
  readonly cash?: number | null;
};

/** What the active seat owes a payee for this turn (Rule: tokai 11.3). */
export type Due = readonly [number, number];

/** What riding a line from here costs, who gets it, and what it would add to the turn's fare. */
export type LineFare = {
  readonly line: string;
  readonly payee: number;
  readonly fare: number;
  readonly adds: number;
};

/** The shortest way to a station, and the cheapest if that is another; none if none is left. */
export type Ways = { readonly to: string; readonly routes: readonly Way[]; };

/** A way to a station, in how many turns it is ridden, what it costs, and who gets that. */
export type Way = {
  readonly steps: number;
  readonly turns: number;
  readonly cost: number;
  readonly dues: readonly Due[];
  readonly legs: readonly Leg[];
};

/** A part of a way on one line: where it ends, and how many steps it has. */
export type Leg = { readonly line: string; readonly to: string; readonly steps: number; };

export type Answers = { readonly fares: Fares; readonly route: Ways; };
