// Written by `python -m bluebear.typescript`; change the Python that it is made from.

/** The part `game` of a view. */
export interface View {
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
}

/** The static data. */
export interface Fixed {
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
}

export interface Arrived {
  readonly event: "arrived";
  readonly seat: number;
  readonly point: string;
  readonly payoff: number;
  readonly cash: number;
}

export interface AuctionBegan {
  readonly event: "auction_began";
  readonly seat: number;
  readonly line: string;
  readonly least: number;
}

export interface AuctionWon {
  readonly event: "auction_won";
  readonly seat: number;
  readonly line: string;
  readonly owner: number;
  readonly price: number;
}

export interface Bought {
  readonly event: "bought";
  readonly seat: number;
  readonly line: string;
  readonly price: number;
  readonly cash: number;
}

export interface BoughtNothing { readonly event: "bought_nothing"; readonly seat: number; }

export interface CannotBid { readonly event: "cannot_bid"; readonly seat: number; }

export interface Chose {
  readonly event: "chose";
  readonly seat: number;
  readonly lines?: readonly string[];
  readonly express?: boolean;
  readonly price?: number;
}

export interface Dealt {
  readonly event: "dealt";
  readonly seat: number;
  readonly lines: readonly string[];
}

export interface DestinationSet {
  readonly event: "destination_set";
  readonly seat: number;
  readonly origin: string;
  readonly destination: string;
  readonly payoff: number;
}

export interface ExtraGranted { readonly event: "extra_granted"; readonly seat: number; }

export interface GameOver {
  readonly event: "game_over";
  readonly winner: readonly number[];
  readonly assets: number;
}

export interface HalfLost { readonly event: "half_lost"; readonly seat: number; readonly point: string; }

export interface HasBid {
  readonly event: "has_bid";
  readonly seat: number;
  readonly line: string;
  readonly bid: number;
}

export interface HomeRegion {
  readonly event: "home_region";
  readonly seat: number;
  readonly region: string;
}

export interface LastLineSold { readonly event: "last_line_sold"; readonly seat: number; }

export interface LeftAlone { readonly event: "left_alone"; readonly seat: number; }

export interface LimitReached { readonly event: "limit_reached"; readonly turns: number; }

export interface LinesReturned {
  readonly event: "lines_returned";
  readonly seat: number;
  readonly lines: readonly string[];
}

export interface NobodyBid { readonly event: "nobody_bid"; readonly line: string; }

export interface PaidBank { readonly event: "paid_bank"; readonly seat: number; readonly amount: number; }

export interface PaidOwner {
  readonly event: "paid_owner";
  readonly seat: number;
  readonly other: number;
  readonly amount: number;
}

export interface Passed { readonly event: "passed"; readonly seat: number; }

export interface PlaysFirst { readonly event: "plays_first"; readonly seat: number; }

export interface Prebought {
  readonly event: "prebought";
  readonly seat: number;
  readonly lines: readonly string[];
  readonly price: number;
  readonly cash: number;
}

export interface RegionNamed {
  readonly event: "region_named";
  readonly seat: number;
  readonly region: string;
}

export interface Rode {
  readonly event: "rode";
  readonly seat: number;
  readonly line: string;
  readonly point: string;
  readonly steps: number;
  readonly left: number;
}

export interface RolledCity {
  readonly event: "rolled_city";
  readonly seat: number;
  readonly coloured: number;
  readonly whites: readonly number[];
  readonly region: string;
  readonly point: string;
}

export interface RolledExtra {
  readonly event: "rolled_extra";
  readonly seat: number;
  readonly steps: number;
}

export interface RolledForOrder {
  readonly event: "rolled_for_order";
  readonly seat: number;
  readonly dice: readonly number[];
  readonly total: number;
}

export interface RolledFree {
  readonly event: "rolled_free";
  readonly seat: number;
  readonly coloured: number;
  readonly whites: readonly number[];
  readonly region: string;
}

export interface RolledRegion {
  readonly event: "rolled_region";
  readonly seat: number;
  readonly coloured: number;
  readonly whites: readonly number[];
  readonly region: string;
}

export interface RolledSteps {
  readonly event: "rolled_steps";
  readonly seat: number;
  readonly whites: readonly number[];
  readonly steps: number;
}

export interface SetOff {
  readonly event: "set_off";
  readonly seat: number;
  readonly other: number;
  readonly amount: number;
}

export interface Short {
  readonly event: "short";
  readonly seat: number;
  readonly cash: number;
  readonly owed: number;
}

export interface SoldToBank {
  readonly event: "sold_to_bank";
  readonly seat: number;
  readonly line: string;
  readonly amount: number;
}

export interface StartTaken {
  readonly event: "start_taken";
  readonly seat: number;
  readonly point: string;
  readonly other: number;
}

export interface Started { readonly event: "started"; readonly seat: number; readonly point: string; }

export interface Stranded { readonly event: "stranded"; readonly seat: number; readonly steps: number; }

export interface ThroughEnded {
  readonly event: "through_ended";
  readonly seat: number;
  readonly lines: readonly string[];
}

export interface ThroughGot {
  readonly event: "through_got";
  readonly seat: number;
  readonly line: string;
  readonly owner: number;
}

export interface TicketBought {
  readonly event: "ticket_bought";
  readonly seat: number;
  readonly price: number;
  readonly cash: number;
}

export interface TicketPrebought { readonly event: "ticket_prebought"; readonly seat: number; }

export interface Tied { readonly event: "tied"; readonly seats: readonly number[]; }

export interface TurnBegan { readonly event: "turn_began"; readonly seat: number; readonly turn: number; }

export interface WentBack {
  readonly event: "went_back";
  readonly seat: number;
  readonly point: string;
  readonly left: number;
}

export interface WentBankrupt {
  readonly event: "went_bankrupt";
  readonly seat: number;
  readonly missing: number;
}

/** What happened, as data. */
export type Event =
  | Arrived
  | AuctionBegan
  | AuctionWon
  | Bought
  | BoughtNothing
  | CannotBid
  | Chose
  | Dealt
  | DestinationSet
  | ExtraGranted
  | GameOver
  | HalfLost
  | HasBid
  | HomeRegion
  | LastLineSold
  | LeftAlone
  | LimitReached
  | LinesReturned
  | NobodyBid
  | PaidBank
  | PaidOwner
  | Passed
  | PlaysFirst
  | Prebought
  | RegionNamed
  | Rode
  | RolledCity
  | RolledExtra
  | RolledForOrder
  | RolledFree
  | RolledRegion
  | RolledSteps
  | SetOff
  | Short
  | SoldToBank
  | StartTaken
  | Started
  | Stranded
  | ThroughEnded
  | ThroughGot
  | TicketBought
  | TicketPrebought
  | Tied
  | TurnBegan
  | WentBack
  | WentBankrupt;
