// The recorded games of the start page: every view of them can be drawn, from the first to the end.

import { h } from "preact";
import { render } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import type { RoomTree } from "../src/board/contract.ts";
import { positionOf } from "../src/board/position.ts";
import { recordingOf } from "../src/screens/livingBoard.tsx";

const AREA = { width: 800, height: 500, touch: false };

describe("a recorded game of the start page", () => {
  it.each(["manhattan", "railroad_ink"])("%s is drawn at every move, to its end", async (key) => {
    const recording = await recordingOf(key, "en");
    const { board, game, views = [] } = recording ?? {};
    if (board === undefined || game === undefined) throw new Error("there is no recording");
    expect(views.length).toBeGreaterThan(10);
    const drawings = views.map((each) => {
      const view = each as unknown as { readonly room: RoomTree; readonly game: unknown };
      const open = { eyes: [], moves: {}, text: "", since: [], look: {}, answers: {} };
      const position = positionOf({ game, view, lang: "en", area: AREA, ...open });
      return render(h(board.Drawing, { position, act: () => undefined }));
    });
    expect(drawings.filter((html) => /undefined|NaN/.test(html))).toEqual([]);
    expect(new Set(drawings).size).toBeGreaterThan(views.length / 2);
    expect(views.at(-1)).toMatchObject({ room: { phase: "over" } });
  });

  it("is none for a game without one: its cover stays", async () => {
    expect(await recordingOf("tokai", "en")).toBeUndefined();
  });
});
