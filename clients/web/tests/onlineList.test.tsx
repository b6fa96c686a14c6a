// Who is online: a place is named where the server tells it.

import { render } from "preact-render-to-string";
import { expect, it } from "vitest";
import { OnlineList } from "../src/screens/onlineList.tsx";
import { visitor } from "./visitor.ts";

it("a person whose room is hidden is not said to be in the lobby", () => {
  const person = { minutes: 3, rooms: [] };
  const people = [
    { ...person, name: "Hidden" },
    { ...person, name: "Seen", rooms: [{ id: "1", game: "manhattan" }] },
    { ...person, name: "Gone", away: "lunch" },
  ];
  const state = visitor("en", "Ayu");
  const html = render(
    <OnlineList
      state={{ ...state, lobby: { ...state.lobby, online: { people, more: 0 } } }}
      emit={() => undefined}
    />,
  );
  const shown = [...html.matchAll(/<small>([^<]*)<\/small>/g)].map(([, text]) => text);
  expect(shown).toEqual(["3", "", "manhattan", "away: lunch"]);
});
