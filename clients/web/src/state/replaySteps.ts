// Events of replays: opened, moved, played automatically, closed.

import { type Branch, isBranch } from "../sdk/tree.ts";
import type { Effect, StepResult } from "./events.ts";
import { roomOfInput } from "./lineInput.ts";
import { ask } from "./queries.ts";
import {
  appendSteps,
  missingFrom,
  newReplay,
  nextAutoStep,
  type Replay,
  withStep,
} from "./replay.ts";
import type { State } from "./state.ts";

/** More steps than any game has: it selects the last step. */
export const NEWEST = 999_999;
/** The time between two steps of autoplay. */
const PLAY_MS = 900;
/** The wait after a refusal, if the server does not give a longer one. */
const REST_MS = 2000;

/** The key of a finished game's replay; no room has it. */
export function replayKey(game: string): string {
  return `game ${game}`;
}

function withReplay(state: State, key: string, replay: Replay): State {
  return { ...state, replays: { ...state.replays, [key]: replay } };
}

/** Close a replay: the room shows the present again. */
export function closeReplay(state: State, key: string): State {
  const { [key]: _, ...replays } = state.replays;
  return { ...state, replays };
}

/** Request missing moments. */
function requestMissing(state: State, key: string): StepResult<State> {
  const replay = state.replays[key];
  const from = replay === undefined ? undefined : missingFrom(replay);
  if (replay === undefined || from === undefined || !state.session.welcomed) return [state, []];
  const asking = withReplay(state, key, { ...replay, asking: from });
  const about = { about: "replay", key } as const;
  const finished = key.startsWith("game ");
  const args = finished ? { id: key.slice(5), from } : { from };
  return ask(asking, "replay", args, about, finished ? undefined : roomOfInput(key));
}

/** Open a room's replay at its newest step, or a finished game's at a step. */
export function openReplay(state: State, key: string, at: number): StepResult<State> {
  return requestMissing(withReplay(state, key, newReplay(at)), key);
}

/** Open the replay of the finished game in the address. */
export function openReplayHere(state: State): StepResult<State> {
  const { address } = state;
  if (address.at !== "game") return [state, []];
  const key = replayKey(address.id);
  const there = state.replays[key];
  if (there === undefined) return openReplay(state, key, address.move ?? 0);
  return address.move === undefined
    ? requestMissing(state, key)
    : goToStep(state, key, address.move);
}

/** Select another step. */
export function goToStep(state: State, key: string, to: number): StepResult<State> {
  const replay = state.replays[key];
  if (replay === undefined) return [state, []];
  return updateAddress(requestMissing(withReplay(state, key, withStep(replay, to)), key));
}

/** The address follows the shown step, so that it can be shared. */
function updateAddress([state, effects]: StepResult<State>): StepResult<State> {
  const { address } = state;
  const replay = address.at === "game" ? state.replays[replayKey(address.id)] : undefined;
  if (address.at !== "game" || replay === undefined || address.move === replay.at) {
    return [state, effects];
  }
  const there = { ...address, move: replay.at };
  return [
    { ...state, address: there },
    [...effects, { type: "navigate", address: there, replace: true }],
  ];
}

/** Start or stop autoplay. */
export function setAutoplay(state: State, key: string, playing: boolean): StepResult<State> {
  const replay = state.replays[key];
  if (replay === undefined) return [state, []];
  const begins = playing && replay.at >= replay.steps ? withStep(replay, 0) : replay;
  const after = requestMissing(withReplay(state, key, { ...begins, playing }), key);
  return playing && !replay.playing
    ? withEffect(after, replayTimer(PLAY_MS / replay.speed))
    : after;
}

/** Another pace of autoplay, from the next step on. */
export function setSpeed(state: State, key: string, speed: number): State {
  const replay = state.replays[key];
  return replay === undefined ? state : withReplay(state, key, { ...replay, speed });
}

function replayTimer(ms: number): Effect {
  return { type: "wait", timer: "replay", ms };
}

function withEffect([state, effects]: StepResult<State>, effect: Effect): StepResult<State> {
  return [state, [...effects, effect]];
}

/** The timer fired: autoplay moves one step on, and refused requests are repeated. */
export function timerFired(state: State): StepResult<State> {
  let now: State = state;
  const effects: Effect[] = [];
  for (const [key, replay] of Object.entries(state.replays)) {
    if (replay === undefined) continue;
    const on = nextAutoStep(replay);
    const next: Replay = { ...(on ?? replay), playing: on !== undefined, refused: undefined };
    const [after, more] = requestMissing(withReplay(now, key, next), key);
    now = after;
    effects.push(...more);
    if (on !== undefined) effects.push(replayTimer(PLAY_MS / on.speed));
  }
  return updateAddress([now, effects]);
}

/** Select the seat whose hand is shown. */
export function chooseSeat(state: State, key: string, seat: number): State {
  const replay = state.replays[key];
  return replay === undefined ? state : withReplay(state, key, { ...replay, seat });
}

/** A page of moments has arrived. */
export function dataArrived(state: State, key: string, body: Branch): StepResult<State> {
  const replay = state.replays[key];
  if (replay === undefined) return [state, []];
  const next = appendSteps(replay, body);
  const after = withReplay(state, key, next);
  const cached = after.session.mirror.games[next.game]?.hash === next.hash;
  const [supplied, effects] = requestMissing(after, key);
  const [requested, more] = cached
    ? [supplied, []]
    : ask(supplied, "game", { key: next.game }, { about: "game" });
  return updateAddress([requested, [...effects, ...more]]);
}

/** The server refused the request: for now, or permanently. */
export function requestFailed(
  state: State,
  key: string,
  text: string,
  retryMs: number | undefined,
): StepResult<State> {
  const replay = state.replays[key];
  if (replay === undefined) return [state, []];
  const after = withReplay(state, key, { ...replay, asking: undefined, refused: text });
  return [after, retryMs === undefined ? [] : [replayTimer(Math.max(retryMs, REST_MS))]];
}

/** Close a room's replay if the room has started another game. */
export function closeStaleReplay(state: State, room: string, view: Branch): State {
  const id = isBranch(view.room) ? view.room.game_id : undefined;
  const replay = state.replays[room];
  if (replay === undefined || replay.id === "" || replay.id === id) return state;
  return closeReplay(state, room);
}
