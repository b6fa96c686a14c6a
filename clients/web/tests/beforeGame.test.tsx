// The table before the game: who is ready for it.

import { render } from "preact-render-to-string";
import { expect, it } from "vitest";
import { BeforeGame } from "../src/screens/beforeGame.tsx";
import type { RoomView } from "../src/sdk/mirror.ts";
import { game } from "./recorded.ts";
import { visitor } from "./visitor.ts";

it("marks the seats that have confirmed the start", () => {
  const seats = { 1: { name: "Ayu", human: true }, 2: { name: "Ken", human: true } };
  const table = { seats, host: "Ayu", ready: [2], commit: "00", options: {}, privacy: "public" };
  const room = { id: "1", game: "manhattan", view: { room: table }, eyes: [1], here: [], away: [] };
  const shown = render(
    <BeforeGame
      state={visitor("en", "Ayu")}
      emit={() => undefined}
      room={room as unknown as RoomView}
      inputKey="1"
      body={{ ...game("manhattan"), options: [] }}
    />,
  );
  const rows = [...shown.matchAll(/<bdi>(\w+)<\/bdi> <small>([^<]*)</g)];
  expect(rows.map(([, name, notes]) => [name, notes])).toEqual([
    ["Ayu", "host · you"],
    ["Ken", "OK"],
  ]);
});
