// A hint: its reasons, and on the board the places of its line glow, and an arrow leads from the tray to them.

import type { VNode } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import type { Position } from "../board/contract.ts";
import { localizedHint } from "../line/valueNames.ts";
import "../style/hints.css";

interface Glow {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The board, and its tray if it has one. */
function areas(): readonly Element[] {
  return [...document.querySelectorAll("[data-board],.tray-place")];
}

/** Places of an area that are in view, on the screen. */
function glows(area: Element, marked: string): readonly Glow[] {
  const frame = area.getBoundingClientRect();
  return [...area.querySelectorAll(marked)].flatMap((place) => {
    const { left, top, width, height } = place.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const inView = x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
    return inView && width > 0 ? [{ left, top, width, height }] : [];
  });
}

/** From above a place of the tray to below one of the board, in a bow. */
function arrow(from: Glow, to: Glow): string {
  const [x, y] = [from.left + from.width / 2, from.top - 6];
  const [toX, toY] = [to.left + to.width / 2, to.top + to.height + 8];
  return `M${x} ${y}Q${x} ${(y + toY) / 2} ${toX} ${toY}`;
}

interface MarksProps {
  /** The reasons of a hint; a lesson says its own. */
  readonly text?: string;
  readonly position: Position;
  /** A selector: what is in the line, unless a lesson points elsewhere. */
  readonly marked?: string;
}

const CHOSEN = "[data-place].chosen > .mark, button.chosen";

/** The reasons of a hint, and its marks. */
export function HintMarks({ text, position, marked = CHOSEN }: MarksProps): VNode {
  const { game, lang } = position;
  const [[board = [], tray = []], setSeen] = useState<readonly (readonly Glow[])[]>([]);
  useLayoutEffect(() => {
    let frame = 0;
    const measure = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setSeen(areas().map((area) => glows(area, marked))));
    };
    // The window and what is beside an area may take its space; the first size is told at once.
    const sizes = new ResizeObserver(measure);
    for (const area of areas()) sizes.observe(area);
    // The map may be moved below the marks.
    const types = ["scroll", "wheel", "pointermove"] as const;
    for (const type of types) addEventListener(type, measure, true);
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      for (const type of types) removeEventListener(type, measure, true);
    };
  }, [position, marked]);
  const [to] = board;
  const from = tray.at(-1);
  return (
    <>
      {text && <small>{localizedHint(game.verbs, game.words, text, lang)}</small>}
      <svg class="hint-marks" aria-hidden="true">
        <marker id="hint-head" viewBox="0 0 10 10" refX={6} refY={5} markerWidth={3} orient="auto">
          <path d="M0 0 10 5 0 10z" />
        </marker>
        {[...tray, ...board].map(({ left, top, width, height }, at) => (
          <rect
            key={at}
            data-hint
            x={left - 3}
            y={top - 3}
            width={width + 6}
            height={height + 6}
            rx={8}
          />
        ))}
        {from && to && <path class="bow" d={arrow(from, to)} marker-end="url(#hint-head)" />}
      </svg>
    </>
  );
}
