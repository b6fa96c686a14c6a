// Ratings: the data of `/stats` and `/top`, requested when a person opens them.

import { type Branch, isBranch, type Tree } from "../sdk/tree.ts";
import type { StepResult } from "./events.ts";
import { ask } from "./queries.ts";
import type { State } from "./state.ts";

/** Request my ratings and the ranking of a game. Earlier data stay until the answer. */
export function requestRatings(state: State, game: string): StepResult<State> {
  if (!state.session.welcomed) return [state, []];
  const personal = ask(state, "query", { text: "/stats" }, { about: "my_ratings" });
  if (game === "") return personal;
  const top = ask(personal[0], "query", { text: `/top ${game}` }, { about: "top", game });
  return [top[0], [...personal[1], ...top[1]]];
}

export function myRatingsArrived(state: State, body: Branch): State {
  const { ratings } = isBranch(body.data) ? body.data : {};
  const personal = branches(ratings).map((each) => ({
    game: String(each.game),
    seats: Number(each.seats),
    points: Number(each.points),
    margin: Number(each.margin),
    games: Number(each.games),
    ranks: list(each.places).map(Number),
  }));
  return { ...state, ratings: { ...state.ratings, personal } };
}

export function topArrived(state: State, game: string, body: Branch): State {
  const { lists } = isBranch(body.data) ? body.data : {};
  const top = branches(lists).map((each) => ({
    seats: Number(each.seats),
    rows: branches(each.rows).map((row) => ({
      rank: Number(row.place),
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
