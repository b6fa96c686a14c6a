// Scenes of the ratings: requested together, shown as tables.

import { render } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import { RatingsPanel } from "../src/screens/ratingsPanel.tsx";
import type { Branch } from "../src/sdk/tree.ts";
import { myRatingsArrived, requestRatings, topArrived } from "../src/state/ratings.ts";
import type { State } from "../src/state/state.ts";
import { visitor } from "./visitor.ts";

const REPLY: Branch = {
  data: {
    name: "けん",
    ratings: [
      { game: "manhattan", seats: 2, points: 1234, margin: 80, games: 12, places: [7, 5], left: 0 },
    ],
  },
};
const TOP: Branch = {
  data: {
    game: "manhattan",
    lists: [
      {
        seats: 2,
        rows: [
          { place: 1, name: "Ayu", points: 1500, margin: 40, games: 30 },
          { place: 2, name: "けん", points: 1234, margin: 80, games: 12 },
        ],
      },
      { seats: 3, rows: [] },
    ],
  },
};

function begun(welcomed = true): State {
  const state = visitor("ja", "けん");
  return { ...state, choice: "manhattan", session: { ...state.session, welcomed } };
}

function html(state: State): string {
  return render(<RatingsPanel state={state} emit={() => undefined} />);
}

describe("ratings", () => {
  it("are asked for once we are known, one's own and the best of a game", () => {
    expect(requestRatings(begun(false), "manhattan")[1]).toEqual([]);
    const [asking, effects] = requestRatings(begun(), "manhattan");
    expect(Object.values(asking.pendingQueries)).toEqual([
      { about: "my_ratings" },
      { about: "top", game: "manhattan" },
    ]);
    expect(JSON.stringify(effects)).toContain("/stats");
    expect(JSON.stringify(effects)).toContain("/top manhattan");
  });

  it("are tables, with oneself marked, and no list where nobody is on it", () => {
    const there = topArrived(myRatingsArrived(begun(), REPLY), "manhattan", TOP);
    const shown = html(there);
    expect(shown).toContain("<b>1,234</b>");
    expect(shown).toContain("7 · 5");
    expect(shown.match(/<caption>/g)).toHaveLength(1);
    expect(shown.match(/aria-current="true"/g)).toHaveLength(1);
  });

  it("say in words that there are none", () => {
    const none = { data: { name: "けん", ratings: [], lists: [] } };
    const shown = html(topArrived(myRatingsArrived(begun(), none), "manhattan", none));
    expect(shown).toContain("まだレーティング戦をしていません。");
    expect(shown).toContain("十分にした人は、まだいません。");
  });
});
