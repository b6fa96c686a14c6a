// The seats of a table: whose page a name leads to.

import { render } from "preact-render-to-string";
import { expect, it } from "vitest";
import { Seats } from "../src/screens/seats.tsx";
import type { RoomView } from "../src/sdk/mirror.ts";
import type { State } from "../src/state/state.ts";
import { visitor } from "./visitor.ts";

function drawn(state: State, room: object): string {
  return render(
    <Seats
      state={state}
      emit={() => undefined}
      room={room as RoomView}
      board={undefined}
      position={undefined}
    />,
  );
}

it("the names of people lead to their pages, at the table and beside it; those of bots do not", () => {
  const seats = {
    1: { name: "Ayu", human: true },
    2: { name: "@greedy2", human: false, bot: "greedy" },
    3: { name: "Mika", human: true, bot: "greedy" },
  };
  const view = { room: { seats, turn: [1], votes: {} } };
  const room = { id: "1", view, eyes: [1], here: ["Ayu", "Ken"], away: [] };
  const shown = drawn(visitor("en", "Ayu"), room);
  expect([...shown.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
    "/u/Ayu",
    "/u/Mika",
    "/u/Ken",
  ]);
  expect(shown).toContain("<bdi>@greedy2</bdi>");
});

it.each([
  ["en", "on vacation until December 9"],
  ["ja", "12月9日まで休暇"],
] as const)("a player on vacation is not away (%s)", (lang, mark) => {
  const until = new Date(2099, 11, 9, 12).getTime();
  const seats = { 1: { name: "Ayu", human: true, away_until: until } };
  const view = { room: { seats, turn: [1], votes: {} } };
  const room = { id: "1", view, eyes: [], here: [], away: ["Ayu"] };
  const shown = drawn(visitor(lang, "Eva"), room);
  expect(shown).toContain(`<small>${mark}</small>`);
});

it.each([
  ["en", "a bot stands in", "away"],
  ["ja", "ボットが代打中", "離席"],
] as const)(
  "a player who is lost is away, unless a bot plays for them (%s)",
  (lang, standIn, away) => {
    const seats = {
      1: { name: "Ayu", human: true },
      2: { name: "Mika", human: true, bot: "greedy" },
    };
    const view = { room: { seats, turn: [], votes: {} } };
    const room = { id: "1", view, eyes: [], here: [], away: ["Ayu", "Mika"] };
    const shown = drawn(visitor(lang, "Eva"), room);
    const marks = [...shown.matchAll(/<small>(.*?)<\/small>/g)].map(([, mark]) => mark);
    expect(marks).toEqual([away, standIn]);
  },
);
