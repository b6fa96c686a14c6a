// The data of `/stats`, `/top` and `/friends`, and how the pages of people request them.

import { useEffect } from "preact/hooks";
import { type Branch, isBranch, type Tree } from "../sdk/tree.ts";
import type { ViewProps } from "./viewProps.ts";

/** One finished game of a person; `rank` 0: left. */
export interface PlayedGame {
  readonly game: string;
  readonly seats: number;
  readonly rated: boolean;
  readonly id: string;
  readonly at: number;
  readonly rank: number;
  readonly points: number;
  readonly change: number;
  /** Names and ranks of all players, by seat. */
  readonly names: readonly string[];
  readonly ranks: readonly number[];
}

/** A rating, its points after each of the newest games, the oldest first. */
export interface RatingRow {
  readonly game: string;
  readonly seats: number;
  readonly points: number;
  /** How far the points may be off. */
  readonly margin: number;
  readonly games: number;
  /** How often the person came first, second ... */
  readonly ranks: readonly number[];
  readonly curve: readonly number[];
}

export interface Stats {
  readonly name: string;
  readonly ratings: readonly RatingRow[];
  /** The newest first. */
  readonly played: readonly PlayedGame[];
}

/** A row of a ranking. */
export interface Ranked {
  readonly rank: number;
  readonly name: string;
  readonly points: number;
  readonly margin: number;
  readonly games: number;
}

export interface Friend {
  readonly name: string;
  readonly online: boolean;
  /** With which words the person is away; undefined: they are not. */
  readonly away: string | undefined;
  readonly room: FriendRoom | undefined;
}

export interface FriendRoom {
  readonly id: string;
  readonly game: string;
  readonly locked: boolean;
  /** Seats on which one may sit down. */
  readonly free: number;
}

function list(tree: Tree | undefined): readonly Tree[] {
  return Array.isArray(tree) ? tree : [];
}

function branches(tree: Tree | undefined): readonly Branch[] {
  return list(tree).filter(isBranch);
}

function ratingOf(each: Branch): RatingRow {
  return {
    game: String(each.game),
    seats: Number(each.seats),
    points: Number(each.points),
    margin: Number(each.margin),
    games: Number(each.games),
    ranks: list(each.places).map(Number),
    curve: branches(each.recent)
      .map((game) => Number(game.points))
      .toReversed(),
  };
}

function playedGame(game: Branch): PlayedGame {
  return {
    game: String(game.game),
    seats: Number(game.seats),
    rated: game.rated === true,
    id: String(game.id),
    at: Number(game.at),
    rank: Number(game.place),
    points: Number(game.points),
    change: Number(game.change),
    names: list(game.names).map(String),
    ranks: list(game.places).map(Number),
  };
}

/** The data of `/stats`. */
export function statsIn(data: Branch): Stats {
  return {
    name: String(data.name),
    ratings: branches(data.ratings).map(ratingOf),
    played: branches(data.played).map(playedGame),
  };
}

/** The data of `/top` with a number of seats. */
export function rankedIn(data: Branch): readonly Ranked[] {
  return branches(branches(data.lists)[0]?.rows).map((row) => ({
    rank: Number(row.place),
    name: String(row.name),
    points: Number(row.points),
    margin: Number(row.margin),
    games: Number(row.games),
  }));
}

/** The data of `/friends list`, those who are here first. */
export function friendsIn(data: Branch): readonly Friend[] {
  const friends = branches(data.people).map(({ name, online, away, rooms }) => {
    const [room] = branches(rooms);
    return {
      name: String(name),
      online: online === true,
      away: typeof away === "string" ? away : undefined,
      room: room && {
        id: String(room.id),
        game: String(room.game),
        locked: room.locked === true,
        free: room.phase === "open" ? Number(room.free) : 0,
      },
    };
  });
  return friends.toSorted((a, b) => Number(b.online) - Number(a.online));
}

/** The newest data of a query, or why there are none. */
export interface Queried<T> {
  readonly data: T | undefined;
  readonly refused: string | undefined;
}

/** Requests the data of a query, and again when one of `when` changes; no text: none. */
export function useQuery<T>(
  { state, emit }: ViewProps,
  text: string,
  read: (data: Branch) => T,
  ...when: readonly unknown[]
): Queried<T> {
  const { welcomed } = state.session;
  useEffect(() => {
    if (!welcomed || text === "") return;
    emit({ type: "requested", key: text, what: "query", args: { text }, again: true });
  }, [welcomed, text, state.settings.lang, ...when]);
  const request = state.requests[text];
  const data = request?.body?.data;
  return {
    data: isBranch(data) ? read(data) : undefined,
    refused: request?.is === "refused" ? request.text : undefined,
  };
}
