// One event, one step: the next state and its effects. Pure; a log of events replays a visit.

import { displayEvents } from "./displayEvents.ts";
import type { Context, Event, EventOf, Handlers, StepResult } from "./events.ts";
import { lineEvents } from "./lineEvents.ts";
import { lobbyEvents } from "./lobbyEvents.ts";
import type { State } from "./state.ts";
import { systemEvents } from "./systemEvents.ts";

/** What each event does; one without a handler is a type error. */
const HANDLERS: Handlers = { ...systemEvents, ...lineEvents, ...displayEvents, ...lobbyEvents };

export function step(state: State, event: Event, context: Context): StepResult<State> {
  return handled({ ...state, now: context.now }, event.type, event, context);
}

function handled<T extends Event["type"]>(
  state: State,
  type: T,
  event: EventOf<T>,
  context: Context,
): StepResult<State> {
  return HANDLERS[type](state, event, context);
}
