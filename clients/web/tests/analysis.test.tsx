// Scenes of an analysis: requested once, shown as a curve, a table and turning points.

import { render } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import { toHundred } from "../src/screens/analysisData.ts";
import { AnalysisPanel } from "../src/screens/analysisPanel.tsx";
import { analysisRequest } from "../src/screens/analysisRequest.ts";
import { AnalysisResult, spread } from "../src/screens/analysisResult.tsx";
import type { Branch } from "../src/sdk/tree.ts";
import type { StepResult } from "../src/state/events.ts";
import { forgetAnswers, request, requestAnswered, requestRefused } from "../src/state/requests.ts";
import type { State } from "../src/state/state.ts";
import { game } from "./recorded.ts";
import { visitor } from "./visitor.ts";

const BODY: Branch = {
  id: "g1",
  names: ["Ayu", "けん"],
  decisions: true,
  numbers: true,
  steps: [1, 2, 4],
  chances: [
    [50, 50],
    [61, 39],
    [20, 80],
  ],
  sums: [
    [9, -21, 3],
    [0, 21, 3],
  ],
  worse: [0, 0],
  points: [
    {
      step: 4,
      en: "4. Ayu: /build 1 cairo 2; /build 1 sydney 2 would have been better.",
      seat: 1,
      lines: ["/build 1 cairo 2"],
      better: ["/build 1 sydney 2"],
    },
  ],
};

const GAME = game("manhattan");
const POINT = "4. Ayu: Build 1 Cairo 2; Build 1 Sydney 2 would have been better.";

function begun(): State {
  const state = visitor("en");
  return { ...state, session: { ...state.session, welcomed: true } };
}

const KEY = "analysis g1";

function requestAnalysis(state: State, game: string): StepResult<State> {
  return request(state, analysisRequest(game));
}

function analysisArrived(state: State, _game: string, body: Branch): State {
  return requestAnswered(state, KEY, body);
}

function html(state: State): string {
  return render(
    <AnalysisPanel
      {...{ state, about: undefined }}
      emit={() => undefined}
      game="g1"
      onStep={() => undefined}
    />,
  );
}

function shownResult(body: Branch): string {
  const nothing = () => undefined;
  const props = { state: begun(), emit: nothing, onStep: nothing, about: GAME };
  return render(<AnalysisResult {...props} body={body} shown={4} />);
}

describe("an analysis", () => {
  it("is asked for once, and again only after a refusal", () => {
    const [asking] = requestAnalysis(begun(), "g1");
    expect(asking.requests[KEY]?.is).toBe("asked");
    expect(Object.values(asking.pendingQueries)).toEqual([{ about: "request", key: KEY }]);
    expect(requestAnalysis(asking, "g1")[0]).toBe(asking);
    const refused = requestRefused(asking, KEY, "busy");
    expect(html(refused)).toContain("busy");
    expect(requestAnalysis(refused, "g1")[0].requests[KEY]?.is).toBe("asked");
    const there = analysisArrived(asking, "g1", BODY);
    expect(requestAnalysis(there, "g1")[0]).toBe(there);
  });

  it("waits with a word, and cannot be asked for twice", () => {
    expect(html(begun())).toContain('title="/analyse g1"');
    const [asking] = requestAnalysis(begun(), "g1");
    // It stands in the place of the button that was pressed.
    expect(html(asking)).toMatch(/<section[^>]*><p role="status">/);
    expect(html(asking)).not.toContain("<button");
  });

  it("is a curve for each seat, the same as a table, and points to go to", () => {
    const shown = shownResult(BODY);
    expect([...shown.matchAll(/<polyline class="chance seat-/g)]).toHaveLength(2);
    expect(shown).toContain('points="10,60 117.33333333333333,49 332,90"');
    expect(shown).toContain("<td>61 %</td>");
    expect(shown).toContain("<bdi>けん</bdi>");
    expect(shown).toContain("decisions cost 0.09 wins, luck −0.21 (±0.03)");
    expect(shown).toContain(`<span>${POINT}</span>`);
    expect(shown).toMatch(/<b class="turn-number">1<\/b>/);
  });

  it("numbers its turning points, and the numbers do not overlap", () => {
    const placed = spread([20, 21, 22, 330, 340]);
    const gaps = placed.slice(1).map((x, at) => x - (placed[at] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(29);
    expect(placed[0]).toBe(20);
    expect(Math.max(...placed)).toBeLessThanOrEqual(342);
  });

  it("has chances that add up to 100", () => {
    expect(toHundred([33, 33, 33])).toEqual([34, 33, 33]);
    expect(toHundred([51, 50])).toEqual([50, 50]);
    expect(toHundred([])).toEqual([]);
  });

  it("says where no single decision could be judged, or nothing at all", () => {
    const draws = shownResult({ ...BODY, decisions: false });
    expect(draws).not.toContain("decisions cost");
    expect(draws).toContain("only what was drawn");
    const nothing = shownResult({ ...BODY, steps: [], chances: [] });
    expect(nothing).not.toContain("<svg");
  });

  it("draws and lists only the stages that have numbers, and says so", () => {
    const chances = [[50, 50], [], [20, 80], [10, 90]];
    const body = { ...BODY, steps: [1, 2, 4, 5], chances, worse: [2, 0] };
    const shown = shownResult(body);
    expect(
      [...shown.matchAll(/<polyline class="chance seat-1" points="([^"]*)"/g)].map(([, p]) => p),
    ).toEqual(["10,60", "251.5,90 332,100"]);
    expect([...shown.matchAll(/<tr>/g)]).toHaveLength(1 + 3);
    expect(shown).not.toContain("undefined");
    expect(shown).toContain("2 of their moves worse than another");
    expect(shown).toContain("only in stages");
    expect(shownResult(BODY)).not.toContain("only in stages");
  });

  it("has no number at all where chances have not proved right", () => {
    const chances = [[], [], []];
    const body = { ...BODY, numbers: false, chances, sums: [], worse: [2, 0] };
    const shown = shownResult(body);
    expect(shown).toContain("words and no numbers");
    expect(shown).toContain("2 of their moves worse than another");
    expect(shown).toContain(POINT);
    for (const absent of ['class="chances"', " %", "<table"]) expect(shown).not.toContain(absent);
  });

  it("is forgotten where its sentences are in another language by now", () => {
    const there = analysisArrived(begun(), "g1", BODY);
    const [waiting] = requestAnalysis(there, "g2");
    expect(Object.keys(forgetAnswers(waiting).requests)).toEqual(["analysis g2"]);
  });

  it("says of a game without decisions that nothing is compared", () => {
    const none = { ...BODY, steps: [], chances: [], points: [] };
    expect(shownResult(none)).toContain("cannot be compared");
  });
});
