// The text about a place of the board, beside it: after a moment under the pointer or in focus, on
// a long press, or with the key I. The server answers; Escape closes.

import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { About, Position } from "../board/contract.ts";
import { placeOf } from "../board/frame.tsx";
import type { DragScene } from "./dragging.ts";
import { GAP, type Spot } from "./refusalBubble.tsx";
import "../style/explanation.css";

// Motion is loaded with it: one chunk for what a drawn board needs besides.
export { afterDrawing, beforeDrawing } from "../board/motion.ts";

const HOVER_MS = 300;
const LONG_PRESS_MS = 500;
/** The pointer may cross the gap to the text, to read or mark it. */
const LEAVE_MS = 200;
const ID = "explanation";

type Size = Pick<Spot, "width" | "height">;

/** Whether two boxes of the window have a common part. */
function meet(a: Spot, b: Spot): boolean {
  const wide = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  return wide > 0 && Math.min(a.top + a.height, b.top + b.height) > Math.max(a.top, b.top);
}

/**
 * Below, above, right or left of a place: where it covers fewest of the legal ones and of the
 * task's buttons, and none of the place; undefined if no side has the space.
 */
export function aboutSpot(
  spot: Spot,
  { width, height }: Size,
  area: Size,
  legalSpots: readonly Spot[] = [],
): Spot | undefined {
  const within = (at: number, most: number): number => Math.max(GAP, Math.min(at, most - GAP));
  const left = within(spot.left + (spot.width - width) / 2, area.width - width);
  const top = within(spot.top, area.height - height);
  const sides = [
    [left, spot.top + spot.height + GAP],
    [left, spot.top - height - GAP],
    [spot.left + spot.width + GAP, top],
    [spot.left - width - GAP, top],
  ].map(([left = 0, top = 0]) => ({ left, top, width, height }));
  const covered = (at: Spot): number => legalSpots.filter((other) => meet(at, other)).length;
  return sides
    .filter(
      ({ left, top }) =>
        within(left, area.width - width) === left && within(top, area.height - height) === top,
    )
    .sort((a, b) => covered(a) - covered(b))[0];
}

/** What explains a place of the board. */
function aboutOf(id: string | undefined, { board, position }: DragScene): About | undefined {
  if (id === undefined || position === undefined) return undefined;
  return board?.about?.(id, position);
}

/** A place with a text, from the target of an event. */
function explainedSpot(target: EventTarget | null, scene: DragScene): Element | undefined {
  if (!(target instanceof Element) || aboutOf(placeOf(target), scene) === undefined)
    return undefined;
  return target.closest("[data-place]") ?? undefined;
}

/** Listens on the board; `show` gets the place whose text is wanted, or nothing. Returns its end. */
function listen(root: HTMLElement, scene: () => DragScene, show: (spot?: Element) => void) {
  const ends = new AbortController();
  const on = (type: string, listener: (event: Event) => void, target: EventTarget = root): void =>
    target.addEventListener(type, listener, { capture: true, signal: ends.signal });
  let timer = 0;
  let isLong = false;
  const soon = (ms: number, spot?: Element): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => show(spot), ms);
  };
  const close = (): void => {
    clearTimeout(timer);
    show();
  };
  const isTouch = (event: Event): boolean =>
    event instanceof PointerEvent && event.pointerType !== "mouse";
  on("pointerover", (event) => {
    if (isTouch(event)) return;
    if (event.target instanceof Element && event.target.closest(`#${ID}`)) clearTimeout(timer);
    else {
      const spot = explainedSpot(event.target, scene());
      soon(spot === undefined ? LEAVE_MS : HOVER_MS, spot);
    }
  });
  on("pointerleave", (event) => event.target === root && !isTouch(event) && soon(LEAVE_MS));
  on("pointerdown", (event) => {
    close();
    isLong = false;
    const spot = isTouch(event) ? explainedSpot(event.target, scene()) : undefined;
    if (spot === undefined) return;
    timer = window.setTimeout(() => {
      isLong = true;
      show(spot);
    }, LONG_PRESS_MS);
  });
  for (const type of ["pointerup", "pointercancel"]) on(type, () => clearTimeout(timer));
  // A long press is a question, not a move.
  for (const type of ["click", "contextmenu"]) {
    on(type, (event) => {
      if (!isLong) return;
      isLong = type === "contextmenu";
      event.preventDefault();
      event.stopPropagation();
    });
  }
  on("focusin", ({ target }) => {
    const isByKeys = target instanceof Element && target.matches(":focus-visible");
    if (isByKeys) soon(HOVER_MS, explainedSpot(target, scene()));
  });
  on("focusout", () => soon(LEAVE_MS));
  for (const type of ["wheel", "resize"]) on(type, close, window);
  const onKey = (event: Event): void => {
    if (!(event instanceof KeyboardEvent)) return;
    const { key, ctrlKey, altKey, metaKey } = event;
    if (key === "Escape" && document.getElementById(ID) !== null) event.stopPropagation();
    if (key === "Escape") close();
    if (key.toLowerCase() !== "i" || ctrlKey || altKey || metaKey) return;
    const spot = explainedSpot(event.target, scene());
    if (spot === undefined) return;
    // Else the letter goes into the line.
    event.preventDefault();
    event.stopPropagation();
    show(spot);
  };
  on("keydown", onKey, window);
  return () => {
    clearTimeout(timer);
    ends.abort();
  };
}

/** An answer is wrapped for a terminal: what is indented goes on, in Japanese without a space. */
function unwrapped(answer: Position["answers"][string]): string | undefined {
  return answer?.text.replace(/(?<=[\u3000-\uffef])\n {4,}/g, "").replace(/\n {4,}/g, " ");
}

/** The text about the place that is asked about. */
export function Explanation(props: {
  readonly root: { readonly current: HTMLElement | null };
  readonly scene: DragScene;
  readonly answers: Position["answers"];
}): VNode | null {
  const { root, scene, answers } = props;
  const [spot, setPlace] = useState<Element>();
  const now = useRef(scene);
  now.current = scene;
  useEffect(() => {
    if (root.current !== null) return listen(root.current, () => now.current, setPlace);
  }, []);
  const shown = spot?.isConnected === true ? aboutOf(placeOf(spot), scene) : undefined;
  const lines = shown?.things?.map((thing) => `/look ${thing} about`) ?? [];
  const missing = lines.find((line) => !(line in answers));
  useEffect(() => {
    if (missing !== undefined) scene.act({ act: "ask", line: missing });
  }, [missing]);
  const texts = [shown?.text, ...lines.map((line) => unwrapped(answers[line]))].filter(Boolean);
  const text = missing === undefined && texts.length > 0 ? texts.join("\n") : undefined;
  const note = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = note.current;
    if (element === null || spot === undefined) return;
    const area = { width: innerWidth, height: innerHeight };
    const legalSpots = [...document.querySelectorAll(".may[data-place], .task :enabled")]
      .filter((each) => each !== spot)
      .map((each) => each.getBoundingClientRect());
    const size = element.getBoundingClientRect();
    const at = aboutSpot(spot.getBoundingClientRect(), size, area, legalSpots);
    element.hidden = at === undefined;
    element.style.left = `${at?.left ?? 0}px`;
    element.style.top = `${at?.top ?? 0}px`;
    // What its name says already is not read out twice.
    if (spot.getAttribute("aria-label") !== text) spot.setAttribute("aria-describedby", ID);
    return () => spot.removeAttribute("aria-describedby");
  }, [spot, text]);
  return text === undefined ? null : (
    <div ref={note} id={ID} class="explanation" role="tooltip">
      {text}
    </div>
  );
}
