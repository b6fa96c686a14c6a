// What `board/motion.ts` moves: pieces that have no transform of their own.

import { describe, expect, it, vi } from "vitest";
import type { Position } from "../src/board/contract.ts";
import { boardOf } from "../src/board/registry.ts";
import { at, drawn, KEYS, names } from "./recorded.ts";

describe("a piece has no transform of its own, so that the browser moves it without the page", () => {
  it.each(KEYS)("%s", async (key) => {
    const board = await boardOf(key);
    const html = names(key).map((name) => drawn(board, at(key, name)));
    const pieces = html.join("").match(/<[^>]* data-piece="[^>]*>/g) ?? [];
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.filter((each) => / transform="/.test(each))).toEqual([]);
  });
});

/** A piece of the page, which notes its animations: the newest frames of each, and how it ends. */
function fakePiece() {
  const played: { frames: Keyframe[]; isRunning: boolean; onfinish: () => void }[] = [];
  let left = 0;
  const element = {
    dataset: { piece: "pawn", state: "1" },
    getBoundingClientRect: () => ({ left, top: 0, width: 0, height: 0 }),
    getAnimations: () => played.filter((each) => each.isRunning),
    animate(frames: Keyframe[]) {
      const animation = {
        // As it is given: a browser notes no later change.
        frames: structuredClone(frames),
        isRunning: true,
        onfinish: () => undefined,
        cancel: () => Object.assign(animation, { isRunning: false }),
        effect: {
          setKeyframes: (next: Keyframe[]) =>
            Object.assign(animation, { frames: structuredClone(next) }),
        },
      };
      played.push(animation);
      return animation;
    },
  };
  const moveTo = (x: number): void => {
    left = x;
  };
  return { element, played, moveTo };
}

it("a piece that moves again while it moves has one animation, and goes on from where it ends", async () => {
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("document", { hidden: false });
  vi.stubGlobal("SVGGraphicsElement", class {});
  const { beforeDrawing, afterDrawing } = await import("../src/board/motion.ts");
  const piece = fakePiece();
  const root = { querySelectorAll: () => [piece.element] } as unknown as Element;
  const go = (left: number): void => {
    // Each time another view of a game: an update.
    const area = { width: 1, height: 1 };
    beforeDrawing(root, { area, lang: "en", view: { left } } as unknown as Position);
    piece.moveTo(left);
    afterDrawing(root);
  };
  go(0);
  go(100);
  go(150);
  go(170);
  const transforms = () => piece.played.at(-1)?.frames.map(({ transform }) => transform);
  const running = () => piece.played.filter((each) => each.isRunning).length;
  expect([piece.played.length, running()]).toEqual([1, 1]);
  // It is drawn at 170 and comes from 0 to 100, that is from -170 to -70.
  const still = "translate(0px, 0px)";
  const back = "translate(-20px, 0px) translate(-50px, 0px)";
  expect(transforms()?.at(0)).toBe(`${back} translate(-100px, 0px)`);
  expect(transforms()?.at(-1)).toBe(`${back} ${still}`);
  piece.played.at(-1)?.onfinish();
  expect([piece.played.length, running()]).toEqual([2, 1]);
  expect(transforms()?.at(0)).toBe(back);
  expect(transforms()?.at(-1)).toBe(`translate(-20px, 0px) ${still}`);
  piece.played.at(-1)?.onfinish();
  expect(transforms()?.at(-1)).toBe(still);
  piece.played.at(-1)?.onfinish();
  expect([piece.played.length, running()]).toEqual([3, 0]);
  vi.unstubAllGlobals();
});
