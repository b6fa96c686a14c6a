// What screens request when they are drawn: ratings, friends, an analysis. An answer is stored
// under the key of its request.

import type { Branch } from "../sdk/tree.ts";
import type { Event, StepResult } from "./events.ts";
import { ask } from "./queries.ts";
import type { Request } from "./requestData.ts";
import type { State } from "./state.ts";

type Requested = Extract<Event, { type: "requested" }>;

function withRequest(state: State, key: string, request: Request): State {
  return {
    ...state,
    requests: { ...state.requests, [key]: { ...state.requests[key], ...request } },
  };
}

/** Request an answer, unless it is asked for, or here and not to be asked for `again`. */
export function request(state: State, event: Requested): StepResult<State> {
  const { key, what, args, room, again = false } = event;
  const earlier = state.requests[key];
  if (!state.session.welcomed || earlier?.is === "asked") return [state, []];
  if (earlier?.is === "there" && !again) return [state, []];
  const pending = withRequest(state, key, { is: "asked" });
  return ask(pending, what, args, { about: "request", key }, room);
}

export function requestAnswered(state: State, key: string, body: Branch): State {
  return withRequest(state, key, { is: "there", body });
}

/** The server refused with a reason; it may be asked again, and an earlier answer stays. */
export function requestRefused(state: State, key: string, text: string): State {
  return withRequest(state, key, { is: "refused", text });
}

/** Answers have sentences in one language: after a change they are requested again. */
export function forgetAnswers(state: State): State {
  const waiting = Object.entries(state.requests).filter(([, each]) => each?.is === "asked");
  return { ...state, requests: Object.fromEntries(waiting) };
}
