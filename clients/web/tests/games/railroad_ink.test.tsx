// Railroad Ink's board: the lines that clicks type, the strokes of pieces, the text board.

import { render } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import { applyAct } from "../../src/board/applyAct.ts";
import { seatsOf } from "../../src/board/players.tsx";
import { board } from "../../src/games/railroad_ink/index.tsx";
import { strokesOf } from "../../src/games/railroad_ink/piecePaths.ts";
import { type At, openEnds, sheetOf } from "../../src/games/railroad_ink/selectors.ts";
import { at, names, PHONE } from "../recorded.ts";

const KEY = "railroad_ink";

function typed(name: string, spot: string, text = "", more = {}) {
  const position = at(KEY, name, { text, ...more });
  const act = board.press(spot, position);
  return act === undefined ? undefined : applyAct(act, position, "at once");
}

function key(name: string, letter: string, text: string) {
  const position = at(KEY, name, { text });
  const act = board.keys?.find((each) => each.key === letter)?.press(position);
  return act === undefined ? undefined : applyAct(act, position, "at once")?.text;
}

await board.load?.();

describe("the tray", () => {
  it.each([700, 740, 800])("has its place at 864 x %i, whatever form the sheet has", (height) => {
    const position = at(KEY, "1-middle", { area: { width: 864, height, touch: false } });
    const { Tray } = board;
    expect(Tray && render(<Tray position={position} act={() => undefined} />)).toMatch(/^<div/);
  });

  it("of a phone leads back to the dice once a square is chosen, and begins with them each round", () => {
    const { round } = at(KEY, "1-middle").view as At["view"];
    const drawn = (tray: number, text = "") => {
      const position = at(KEY, "1-middle", { area: PHONE, look: { tray }, text });
      const { Tray } = board;
      return Tray && render(<Tray position={position} act={() => undefined} />);
    };
    expect(drawn(round, "/draw _ D1")).toMatch(/route 1.*swap/s);
    expect(drawn(round - 1)).toMatch(/die 1.*swap/s);
  });
});

describe("clicks", () => {
  it("plan a piece, turn it, and send it only by the button", () => {
    expect(typed("1-middle", "die 3 rail_t")).toEqual({ text: "/draw rail_t", send: false });
    expect(typed("1-middle", "square D1", "/draw rail_t")).toEqual({
      text: "/draw rail_t D1 0",
      send: false,
    });
    expect(typed("1-middle", "square D1", "/draw rail_t D1 0")?.text).toBe("/draw rail_t D1 1");
    expect(typed("1-middle", "square D1", "/draw rail_t D1 3")?.text).toBe("/draw rail_t D1 0");
    expect(typed("1-middle", "go", "/draw rail_t D1 3")).toEqual({
      text: "/draw rail_t D1 3",
      send: true,
    });
  });

  it("begin with a square as well", () => {
    expect(typed("1-middle", "square D1")?.text).toBe("/draw _ D1");
    expect(typed("1-middle", "die 3 rail_t", "/draw _ D1")?.text).toBe("/draw rail_t D1 0");
  });

  it("keep a chosen piece where it does not fit, and ask why", () => {
    const position = at(KEY, "1-middle", { text: "/draw rail_t" });
    const why = { act: "why", line: "/draw rail_t D4" };
    expect(board.press("square D4", position)).toEqual(why);
    expect(board.drag?.drop("die 3 rail_t", "square D4", position)).toEqual(why);
  });

  it("have the same effect as dragging", () => {
    const position = at(KEY, "1-middle");
    expect(board.drag?.lift("die 3 rail_t", position)).toEqual({
      act: "type",
      text: "/draw rail_t",
    });
    expect(board.drag?.lift("square D1", position)).toBeUndefined();
    const dropped = board.drag?.drop("die 3 rail_t", "square D1", position);
    expect(dropped && applyAct(dropped, position, "at once")).toEqual({
      text: "/draw rail_t D1 0",
      send: false,
    });
    expect(board.drag?.drop("die 3 rail_t", "done", position)).toBeUndefined();
  });

  it("change their mind", () => {
    expect(typed("1-middle", "die 3 rail_t", "/draw rail_t")?.text).toBe("");
    expect(typed("1-middle", "die 3 rail_t", "/draw rail_t D1 0")?.text).toBe("/draw rail_t");
    expect(typed("1-middle", "die 2 rail_curve", "/draw rail_t D1 0")?.text).toBe(
      "/draw rail_curve D1 0",
    );
  });

  it("take this round's drawing back, at the second press", () => {
    expect(typed("1-middle", "square G2")).toEqual({ text: "/erase G2", send: false });
    expect(typed("1-middle", "square G2", "/erase G2")).toEqual({ text: "/erase G2", send: true });
    expect(typed("1-middle", "square G3")).toBeUndefined();
  });

  it("end a round at once on a desk, and ask in a narrow window", () => {
    expect(typed("1-first-done", "done")?.send).toBe(true);
    const narrow = { area: { ...PHONE, touch: false } };
    expect(typed("1-first-done", "done", "", narrow)).toEqual({ text: "/done", send: false });
    expect(typed("1-first-done", "done", "/done", narrow)?.send).toBe(true);
  });

  it("turn and flip by keys", () => {
    expect(key("1-middle", "r", "/draw rail_t D1 0")).toBe("/draw rail_t D1 1");
    expect(key("1-middle", "s", "/draw rail_t D1 1")).toBe("/draw rail_t D1 1");
    expect(key("1-middle", "s", "/draw rail_t")).toBeUndefined();
  });
});

describe("ink", () => {
  it("is one path for lines and one for the middles of roads", () => {
    const road = strokesOf("H.H.", false, false);
    expect(road.lines.match(/M/g)).toHaveLength(4);
    expect(road.dashes).not.toBe("");
    expect(strokesOf("R.R.", false, false).dashes).toBe("");
    expect(strokesOf("RR..", false, false).lines).toContain("A42.0 42.0");
    for (const arms of ["HH.H", "HRHR", "HHHH", "HR..", "RRRR"]) {
      expect(strokesOf(arms, arms === "HR..", false).lines).not.toContain("NaN");
    }
  });
});

describe("a sheet", () => {
  it.each(names(KEY))("%s: has as many open ends as the server counts", (name) => {
    const position = at(KEY, name) as unknown as At;
    for (const seat of seatsOf(position.view)) {
      const sheet = sheetOf(position, seat);
      expect(openEnds(sheet)).toHaveLength(sheet.points.open);
    }
  });
});

describe("the text", () => {
  it.each(names(KEY))("%s: has a place for every legal square", (name) => {
    const position = at(KEY, name);
    const html = render(<board.AsText position={position} act={() => undefined} />);
    for (const { slots } of position.moves) {
      if (slots.square !== undefined) {
        expect(html).toContain(`data-place="square ${slots.square}"`);
      }
    }
  });

  it("says what comes to a free square, and what fits", () => {
    const html = render(<board.AsText position={at(KEY, "1-middle")} act={() => undefined} />);
    expect(html).toContain(
      "C6; empty; road from south; railway from west; railway curve fits in one way",
    );
  });
});
