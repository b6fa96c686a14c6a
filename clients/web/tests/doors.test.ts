// Signing in under a name, and the handling of a refused name.

import { createElement } from "preact";
import { render } from "preact-render-to-string";
import { expect, it } from "vitest";
import type { ServerMessage } from "../src/protocol/messages.gen.ts";
import { Progress } from "../src/screens/start.tsx";
import type { Effect, Event } from "../src/state/events.ts";
import type { Address, State } from "../src/state/state.ts";
import { initialState } from "../src/state/state.ts";
import { step } from "../src/state/step.ts";
import { visitor } from "./visitor.ts";

const TAKEN: ServerMessage = {
  type: "error",
  code: "name_taken",
  text: "It is taken. Perhaps: Ayu2",
  candidates: ["Ayu2"],
};

function welcome(name: string): ServerMessage {
  return {
    type: "welcome",
    protocol: 1,
    person: "p1",
    name,
    token: "t1",
    lang: "en",
    server: "bluebear",
    now: 1000,
  };
}

const frame = (message: ServerMessage): Event => ({ type: "frame", message });

/** The state after these events, and all their effects. */
function after(state: State, ...events: readonly Event[]): readonly [State, readonly Effect[]] {
  const context = { now: 0, fresh: "ab", touch: false };
  return events.reduce<readonly [State, readonly Effect[]]>(
    ([now, effects], event) => {
      const [next, more] = step(now, event, context);
      return [next, [...effects, ...more]];
    },
    [state, []],
  );
}

function stranger(address: Address = { at: "start" }): State {
  const state = visitor("en", "Ayu");
  const { settings, name, past } = state;
  return initialState({ settings, name, past, token: undefined, texts: {} }, address, "x", 0);
}

const messages = (effects: readonly Effect[]) =>
  effects.flatMap((each) => (each.type === "send" ? each.messages : []));
const navigations = (effects: readonly Effect[]) =>
  effects.filter((each) => each.type === "navigate");

const LOBBY_DOOR = [{ type: "to_lobby" }, { type: "connected" }] as const;

it.each([{ at: "start" }, { at: "lobby" }] as const)(
  "the door of the lobby opens after a refused name, from $at",
  (address) => {
    const [refused, effects] = after(stranger(address), ...LOBBY_DOOR, frame(TAKEN));
    expect(refused.address).toEqual({ at: "start" });
    expect(navigations(effects).filter((each) => each.replace !== true)).toEqual([]);
    const [typed, said] = after(refused, { type: "named", name: "Aya" }, ...LOBBY_DOOR);
    expect(messages(said)).toMatchObject([{ type: "hello", name: "Aya" }]);
    expect([typed.refused, typed.proposal]).toEqual([undefined, undefined]);
    const [inside, went] = after(typed, frame(welcome("Aya")));
    expect(inside.address).toEqual({ at: "lobby" });
    expect(navigations(went)).toEqual([{ type: "navigate", address: { at: "lobby" } }]);
  },
);

it("a name that is proposed leads where the refused one was to lead: to the lobby", () => {
  const [refused, effects] = after(stranger(), ...LOBBY_DOOR, frame(TAKEN));
  expect(refused.proposal?.name).toBe("Ayu2");
  expect(effects).toContainEqual({ type: "focus", on: "proposal" });
  const [inside, more] = after(
    refused,
    { type: "proposal_accepted" },
    { type: "connected" },
    frame(welcome("Ayu2")),
  );
  expect(messages(more)[0]).toMatchObject({ type: "hello", name: "Ayu2" });
  expect([inside.name, inside.address]).toEqual(["Ayu2", { at: "lobby" }]);
});

it("a name that is proposed leads where the refused one was to lead: to a table", () => {
  const [refused] = after(
    stranger(),
    { type: "to_lobby" },
    { type: "connected" },
    frame(TAKEN),
    { type: "chose_game", game: "manhattan" },
    { type: "play_now" },
    { type: "connected" },
    frame(TAKEN),
  );
  const [inside, effects] = after(
    refused,
    { type: "proposal_accepted" },
    { type: "connected" },
    frame(welcome("Ayu2")),
  );
  expect(messages(effects)).toMatchObject([
    { type: "hello", name: "Ayu2" },
    { type: "say", text: "/newroom manhattan unlisted" },
    { type: "ask" },
    ...messages(effects).slice(3),
  ]);
  expect(inside.address).toEqual({ at: "start" });
});

it("a link of the page is a step in the history, Back and Forward are none", () => {
  const room: Address = { at: "room", id: "12" as never };
  const [, byLink] = after(stranger(room), { type: "navigated", address: { at: "start" } });
  expect(navigations(byLink)).toEqual([{ type: "navigate", address: { at: "start" } }]);
  const [, byBack] = after(stranger(), { type: "navigated", address: room, inHistory: true });
  expect(navigations(byBack)).toEqual([]);
});

it.each([
  ["wrong_password", "This room needs its password. Type the right one into its field."],
  ["password_wanted", "This room needs its password. Type the right one into its field."],
  ["room_unknown", "Type /room."],
] as const)("a refused password is answered with the field of the form: %s", (code, shown) => {
  const door = { type: "sit_down", room: "12", password: "x" } as const;
  const [sent, effects] = after(
    stranger({ at: "room", id: "12" as never }),
    door,
    { type: "connected" },
    frame(welcome("Ayu")),
  );
  const line = messages(effects).find((each) => each.type === "say");
  const refusal = { type: "error", id: line?.id ?? "", code, text: "Type /room." } as const;
  const [refused] = after(sent, frame(refusal));
  const drawn = render(createElement(Progress, { state: refused, emit: () => undefined }));
  expect(drawn).toContain(shown);
});
