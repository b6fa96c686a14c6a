// How well people play: what `/stats` and `/top` say as data, asked for when somebody looks.

import { type Branch, isBranch, type Tree } from "../sdk/tree.ts";
import type { Stepped } from "./events.ts";
import { ask } from "./queries.ts";
import type { State } from "./state.ts";

/** One game with one number of seats, and how well somebody plays it. */
export interface Rating {
  readonly game: string;
  readonly seats: number;
  readonly points: number;
  /** By how much the points may be wrong. */
  readonly margin: number;
  readonly games: number;
  /** How often first, second ... */
  readonly places: readonly number[];
}

/** A row of a list of the best. */
export interface Rank {
  readonly place: number;
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
  readonly own: readonly Rating[] | undefined;
  readonly top: Readonly<Record<string, readonly Ranks[] | undefined>>;
}

/** Ask how well we play, and who plays this game best. What was known stays until the answer. */
export function wanted(state: State, game: string): Stepped<State> {
  if (!state.session.welcomed) return [state, []];
  const own = ask(state, "query", { text: "/stats" }, { about: "own_ratings" });
  if (game === "") return own;
  const top = ask(own[0], "query", { text: `/top ${game}` }, { about: "top", game });
  return [top[0], [...own[1], ...top[1]]];
}

export function ownArrived(state: State, body: Branch): State {
  const { ratings } = isBranch(body.data) ? body.data : {};
  const own = branches(ratings).map((each) => ({
    game: String(each.game),
    seats: Number(each.seats),
    points: Number(each.points),
    margin: Number(each.margin),
    games: Number(each.games),
    places: list(each.places).map(Number),
  }));
  return { ...state, ratings: { ...state.ratings, own } };
}

export function topArrived(state: State, game: string, body: Branch): State {
  const { lists } = isBranch(body.data) ? body.data : {};
  const top = branches(lists).map((each) => ({
    seats: Number(each.seats),
    rows: branches(each.rows).map((row) => ({
      place: Number(row.place),
      name: String(row.name),
      points: Number(row.points),
      margin: Number(row.margin),
      games: Number(row.games),
    })),
  }));
  return { ...state, ratings: { ...state.ratings, top: { ...state.ratings.top, [game]: top } } };
}

function list(tree: Tree | undefined): readonly Tree[] {
  return Array.isArray(tree) ? tree : [];
}

function branches(tree: Tree | undefined): readonly Branch[] {
  return list(tree).filter(isBranch);
}
