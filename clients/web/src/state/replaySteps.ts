// What happens to the games that are gone through: opened, moved along, played by itself, shut.

import { type Branch, isBranch } from "../sdk/tree.ts";
import type { Effect, Stepped } from "./events.ts";
import { roomOfDesk } from "./lineInput.ts";
import { ask } from "./queries.ts";
import { grown, movedTo, newReplay, playedOn, type Replay, wantedFrom } from "./replay.ts";
import type { State } from "./state.ts";

/** No game has so many steps: the end of it is what is wanted. */
export const NEWEST = 999_999;
/** A step of a game that plays by itself. */
const PLAY_MS = 900;
/** When the server wants to be left alone and does not say how long. */
const REST_MS = 2000;

/** The key under which a finished game is gone through; no room has it. */
export function replayKey(game: string): string {
  return `game ${game}`;
}

function withReplay(state: State, key: string, replay: Replay): State {
  return { ...state, replays: { ...state.replays, [key]: replay } };
}

/** Without a replay: one is back in the present. */
export function shut(state: State, key: string): State {
  const { [key]: _, ...replays } = state.replays;
  return { ...state, replays };
}

/** Ask for what is missing. */
function supply(state: State, key: string): Stepped<State> {
  const replay = state.replays[key];
  const from = replay === undefined ? undefined : wantedFrom(replay);
  if (replay === undefined || from === undefined || !state.session.welcomed) return [state, []];
  const asking = withReplay(state, key, { ...replay, asking: from });
  const about = { about: "replay", key } as const;
  const finished = key.startsWith("game ");
  const args = finished ? { id: key.slice(5), from } : { from };
  return ask(asking, "replay", args, about, finished ? undefined : roomOfDesk(key));
}

/** Look back in a room, at its newest step; or a finished game at a step. */
export function opened(state: State, key: string, at: number): Stepped<State> {
  return supply(withReplay(state, key, newReplay(at)), key);
}

/** Whoever comes to the address of a finished game sees it there. */
export function openedHere(state: State): Stepped<State> {
  const { place } = state;
  if (place.at !== "game") return [state, []];
  const key = replayKey(place.id);
  const there = state.replays[key];
  if (there === undefined) return opened(state, key, place.move ?? 0);
  return place.move === undefined ? supply(state, key) : went(state, key, place.move);
}

/** To another step. */
export function went(state: State, key: string, to: number): Stepped<State> {
  const replay = state.replays[key];
  if (replay === undefined) return [state, []];
  return addressed(supply(withReplay(state, key, movedTo(replay, to)), key));
}

/** The address follows what is shown, so that it can be handed on. */
function addressed([state, effects]: Stepped<State>): Stepped<State> {
  const { place } = state;
  const replay = place.at === "game" ? state.replays[replayKey(place.id)] : undefined;
  if (place.at !== "game" || replay === undefined || place.move === replay.at) {
    return [state, effects];
  }
  const there = { ...place, move: replay.at };
  return [
    { ...state, place: there },
    [...effects, { type: "navigate", place: there, replace: true }],
  ];
}

/** It is to go on by itself, or to stand. */
export function played(state: State, key: string, playing: boolean): Stepped<State> {
  const replay = state.replays[key];
  if (replay === undefined) return [state, []];
  const begins = playing && replay.at >= replay.steps ? movedTo(replay, 0) : replay;
  const after = supply(withReplay(state, key, { ...begins, playing }), key);
  return playing && !replay.playing ? withEffect(after, again(PLAY_MS)) : after;
}

function again(ms: number): Effect {
  return { type: "wait", timer: "replay", ms };
}

function withEffect([state, effects]: Stepped<State>, effect: Effect): Stepped<State> {
  return [state, [...effects, effect]];
}

/** The timer has rung: what plays goes one step on, what was refused is asked for again. */
export function rang(state: State): Stepped<State> {
  let now: State = state;
  const effects: Effect[] = [];
  for (const [key, replay] of Object.entries(state.replays)) {
    if (replay === undefined) continue;
    const on = playedOn(replay);
    const next: Replay = { ...(on ?? replay), playing: on !== undefined, refused: undefined };
    const [after, more] = supply(withReplay(now, key, next), key);
    now = after;
    effects.push(...more);
    if (on !== undefined) effects.push(again(PLAY_MS));
  }
  return addressed([now, effects]);
}

/** Whose hand is looked at. */
export function seatChosen(state: State, key: string, seat: number): State {
  const replay = state.replays[key];
  return replay === undefined ? state : withReplay(state, key, { ...replay, seat });
}

/** A page has come. */
export function arrived(state: State, key: string, body: Branch): Stepped<State> {
  const replay = state.replays[key];
  if (replay === undefined) return [state, []];
  const next = grown(replay, body);
  const after = withReplay(state, key, next);
  const known = after.session.mirror.games[next.game]?.hash === next.hash;
  const [supplied, effects] = supply(after, key);
  const [asked, more] = known
    ? [supplied, []]
    : ask(supplied, "game", { key: next.game }, { about: "game" });
  return addressed([asked, [...effects, ...more]]);
}

/** The server would not show it: now, or not at all. */
export function turnedDown(
  state: State,
  key: string,
  text: string,
  retryMs: number | undefined,
): Stepped<State> {
  const replay = state.replays[key];
  if (replay === undefined) return [state, []];
  const after = withReplay(state, key, { ...replay, asking: undefined, refused: text });
  return [after, retryMs === undefined ? [] : [again(Math.max(retryMs, REST_MS))]];
}

/** Another game is played in a room by now: what was looked back to is over. */
export function ofThisGame(state: State, room: string, view: Branch): State {
  const id = isBranch(view.room) ? view.room.game_id : undefined;
  const replay = state.replays[room];
  if (replay === undefined || replay.id === "" || replay.id === id) return state;
  return shut(state, room);
}
