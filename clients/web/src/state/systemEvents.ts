// Events of the browser and of the connection.

import * as connection from "./connection.ts";
import type { Context, Handlers, StepResult, Timer } from "./events.ts";
import { continueScript, resumedScript } from "./lineSubmit.ts";
import { goTo } from "./navigation.ts";
import { renamed } from "./proposedName.ts";
import { pollLobby, requestStaleCatalogues, requestStaleUndos } from "./queries.ts";
import * as replaySteps from "./replaySteps.ts";
import type { State } from "./state.ts";

export const systemEvents = {
  started: (state, _, context) => {
    const fits = state.name !== "" || state.session.hello.token != null;
    return connection.begin(fits ? state : renamed(state, context));
  },
  connected: (state, event) => connection.connected(state, event.token),
  frame: (state, event, context) => connection.frame(state, event.message, context),
  closed: (state, event, context) => connection.closed(state, event.code, event.jitter, context),
  timer: (state, event, context) => timerFired(state, event.timer, context),
  offline: (state) => connection.offline(state),
  ticked: (state) => [state, []],
  shown: (state, event) => [{ ...state, visible: event.visible }, []],
  games_loaded: (state, event) => {
    const shortest = event.games.toSorted((a, b) => a.minutes - b.minutes)[0];
    const choice = state.choice === "" ? (shortest?.key ?? "") : state.choice;
    return [{ ...state, games: event.games, away: false, choice }, []];
  },
  server_away: (state) => [{ ...state, away: true }, []],
  room_loaded: (state, event) => [{ ...state, about: event.about }, []],
  game_link_loaded: (state, event) => [{ ...state, gameLink: event.story }, []],
  navigated: (state, event, context) =>
    goTo(state, event.address, context, !(event.inHistory ?? false)),
} satisfies Partial<Handlers>;

function timerFired(state: State, timer: Timer, context: Context): StepResult<State> {
  switch (timer) {
    case "reconnect":
      return connection.reconnect(state);
    case "go_on":
      return connection.resumeSending(state, context);
    case "catalogue":
      return requestStaleCatalogues(state);
    case "replay":
      return replaySteps.timerFired(state);
    case "undo":
      return requestStaleUndos(state);
    case "people":
      return pollLobby(state);
    case "pulse":
      return connection.checkLiveness(state, context);
    case "script": {
      const resumed = resumedScript(state);
      if (!resumed.script) return [state, []];
      return state.session.welcomed ? continueScript(resumed, context) : connection.signIn(resumed);
    }
    case "slow":
      // Drawn again: a waiting line is shown as slow from now on.
      return [state, []];
  }
}
