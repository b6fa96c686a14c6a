// Going to a screen: by a link, by the address bar, or because the server said so.

import { sameAddress } from "./address.ts";
import * as connection from "./connection.ts";
import type { Context, Effect, StepResult } from "./events.ts";
import { chooseLine } from "./lineSubmit.ts";
import { inSequence, requestLobbyData } from "./queries.ts";
import * as replaySteps from "./replaySteps.ts";
import { type Address, LOBBY, type State } from "./state.ts";

/** Go to an address; `push`: the address bar has to follow. */
export function goTo(
  state: State,
  address: Address,
  context: Context,
  push: boolean,
): StepResult<State> {
  if (sameAddress(address, state.address)) return [state, []];
  const story = address.at === "game" ? state.gameLink : undefined;
  const there: State = {
    ...state,
    address,
    about: undefined,
    gameLink: story,
    toLobby: false,
    refused: undefined,
    proposal: undefined,
  };
  const moved: readonly Effect[] = push ? [{ type: "navigate", address }] : [];
  const [after, effects] = inSequence(
    there,
    (now) => connection.requestLinkInfo(now, address),
    (now) => leaveFor(now, state, context),
    requestLobbyData,
    replaySteps.openReplayHere,
  );
  return [after, [...moved, ...effects]];
}

/** The lobby's messages go to members of no room: a link to the lobby leaves the room. */
function leaveFor(state: State, before: State, context: Context): StepResult<State> {
  const { address } = state;
  if (address.at === "lobby") {
    const room = before.address.at === "room" ? before.address.id : undefined;
    if (room !== undefined && state.session.rooms.includes(room)) {
      return chooseLine(state, room, "/lobby", context);
    }
    return connection.signIn(state);
  }
  if (
    address.at === "room" &&
    state.session.welcomed &&
    !state.session.rooms.includes(address.id)
  ) {
    return chooseLine(state, LOBBY, `/room ${address.id}`, context);
  }
  return [state, []];
}

/** To the lobby: immediately, or as soon as the person has a name. */
export function goToLobby(state: State, context: Context): StepResult<State> {
  if (state.session.welcomed) return goTo(state, { at: "lobby" }, context, true);
  return connection.signIn({ ...state, toLobby: true, refused: undefined, proposal: undefined });
}
