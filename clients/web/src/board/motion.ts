// Motion: what an update has changed is moved to its place, in a queue.
//
// The board is drawn in its end state first. A piece is an element with `data-piece`, its id, and
// `data-state`. After an update, a piece that is elsewhere glides there, along its `data-route` if it
// has one; a new one falls, or comes from where one of the same state has vanished; one with another
// state settles. With `data-turns` a new or other one turns over, as a card, and moves no other way.
// All of it is `transform` and `opacity` of the drawing: an animation that is cut cannot show a wrong
// board. The element has no transform of its own: then the browser can move it without the page.

import type { Position } from "./contract.ts";

type Piece = HTMLElement | SVGElement;

/** Where a piece was drawn: its middle on the screen, or in its drawing, whose camera may move. */
interface Seen {
  readonly element: Piece;
  readonly x: number;
  readonly y: number;
  /** Pixels of the screen per unit of x and y. */
  readonly unit: number;
  readonly state: string;
}

type Snapshot = ReadonlyMap<string, Seen>;

const FLY_MS = 420;
const SETTLE_MS = 360;
const TURN_MS = 200;
/** Along a way: for each step, and at most. */
const STEP_MS = 60;
const ROUTE_MS = 900;
/** Between pieces that fall together. */
const APART_MS = 40;
/** The next update begins after this at the earliest: its sentence is read meanwhile. */
const READ_MS = 700;
/** How long the queue may be; then its older part is skipped. */
const QUEUE_MS = 3000;
/** More changes at once are a new round, not a move. */
const CHANGES_MAX = 12;
/** A shorter distance, in pixels, is no motion; after a zoom neither: it places pieces anew. */
const MOVED_LEAST = 4;
const ZOOMED_LEAST = 40;
const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";

/** When an update plays, in ms of `performance.now()`. */
export interface Playing {
  readonly from: number;
  readonly until: number;
}

const running = new Set<Animation>();
const watchers = new Set<(playing: Playing | undefined) => void>();
let freeAt = 0;
/** The position that was drawn last, and its pieces if the next one is an update of it. */
let drawn: Position | undefined;
let before: Snapshot | undefined;

/** Whether an update of the game, and nothing else, has led from a position to the next. */
function isUpdate(from: Position | undefined, to: Position | undefined): boolean {
  if (from === undefined || to === undefined || from.view === to.view) return false;
  const same = from.area.width === to.area.width && from.area.height === to.area.height;
  return same && from.lang === to.lang && from.look === to.look;
}

/** Notes the pieces on the screen, before a position is drawn; undefined: none that may move. */
export function beforeDrawing(root: Element | null, position: Position | undefined): void {
  before = root !== null && mayMove() && isUpdate(drawn, position) ? snapshot(root) : undefined;
  drawn = position;
}

/** Moves what has changed since `beforeDrawing`. */
export function afterDrawing(root: Element | null): void {
  if (before !== undefined && root !== null) moveChanged(root, before);
  before = undefined;
}

for (const type of ["pointerdown", "keydown"]) addEventListener(type, skipMotion, true);

/** The pieces as they are drawn now. */
function snapshot(root: Element): Snapshot {
  const pieces = new Map<string, Seen>();
  const counts: Record<string, number> = {};
  for (const element of root.querySelectorAll<Piece>("[data-piece]")) {
    const { left, top, width, height } = element.getBoundingClientRect();
    const { piece = "", state = "" } = element.dataset;
    // Several pieces of one id are counted.
    const count = (counts[piece] ?? 0) + 1;
    counts[piece] = count;
    const drawing = (element as Partial<SVGElement>).ownerSVGElement;
    const { a: unit, e, f } = drawing?.getScreenCTM() ?? SCREEN;
    pieces.set(`${piece} ${count}`, {
      element,
      x: (left + width / 2 - e) / unit,
      y: (top + height / 2 - f) / unit,
      unit,
      state,
    });
  }
  return pieces;
}

/** Calls with each update that is queued, and with nothing when all motion is skipped. */
export function watchMotion(watcher: (playing: Playing | undefined) => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Ends all motion: what is drawn is the present. */
function skipMotion(): void {
  for (const animation of running) animation.cancel();
  running.clear();
  freeAt = 0;
  for (const watcher of watchers) watcher(undefined);
}

function mayMove(): boolean {
  return !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Moves what has changed since a snapshot. */
function moveChanged(root: Element, before: Snapshot): void {
  const now = snapshot(root);
  const vanished = [...before].filter(([id]) => !now.has(id));
  let fallen = 0;
  const steps = [...now].flatMap(([id, to]): readonly Step[] => {
    const from = before.get(id) ?? vanished.find(([, old]) => old.state === to.state)?.[1];
    if (from) return changing(from, to);
    const { element } = to;
    if (element.dataset.turns !== undefined) return [turning(element)];
    return [{ element, keyframes: falling(element), ms: FLY_MS, after: fallen++ * APART_MS }];
  });
  if (steps.length > 0 && steps.length <= CHANGES_MAX) queue(steps);
}

/** How a piece moves that is elsewhere, or has another state; none if it is as before. */
function changing(from: Seen, to: Seen): readonly Step[] {
  const { element, state } = to;
  if (element.dataset.turns !== undefined) return from.state === state ? [] : [turning(element)];
  if (from.state !== state) {
    // A die that is not rolled yet lies still.
    return state === "" ? [] : [{ element, keyframes: settling(element), ms: SETTLE_MS }];
  }
  const [x, y] = [(from.x - to.x) * to.unit, (from.y - to.y) * to.unit];
  if (Math.hypot(x, y) < (from.unit === to.unit ? MOVED_LEAST : ZOOMED_LEAST)) return [];
  const route = element.dataset.route?.split(" ") ?? [];
  if (route.length < 2) return [{ element, keyframes: gliding(element, x, y), ms: FLY_MS }];
  const keyframes = route.map((offset) => ({
    transform: `translate(${offset})`,
    easing: "linear",
  }));
  return [{ element, keyframes, ms: Math.min(route.length * STEP_MS, ROUTE_MS) }];
}

interface Step {
  readonly element: Piece;
  readonly keyframes: Keyframe[];
  readonly ms: number;
  /** Begins so much later than the others. */
  readonly after?: number;
}

/** About its middle, from its back. */
function turning(element: Piece): Step {
  const keyframes = [{ transform: "scaleX(0)" }, { transform: "none" }];
  return { element, keyframes, ms: TURN_MS };
}

/** Plays some steps at once, after what is in the queue. */
function queue(steps: readonly Step[]): void {
  const now = performance.now();
  if (freeAt - now > QUEUE_MS - READ_MS) skipMotion();
  const delay = Math.max(0, freeAt - now);
  for (const { element, keyframes, ms, after = 0 } of steps) {
    const animation = element.animate(keyframes, {
      duration: ms,
      delay: delay + after,
      easing: EASE,
      fill: "backwards",
      // Two at once are added, by the page; one is left to the browser, which repaints nothing.
      composite: element.getAnimations().length > 0 ? "add" : "replace",
    });
    running.add(animation);
    animation.onfinish = () => running.delete(animation);
  }
  freeAt = now + delay + Math.max(READ_MS, ...steps.map(({ ms, after = 0 }) => ms + after));
  for (const watcher of watchers) watcher({ from: now + delay, until: freeAt });
}

const SCREEN = { a: 1, e: 0, f: 0 };

/** From the coordinates of an element to the screen; those of a card or a whole drawing are its. */
function ctmOf(element: Piece | null): Pick<DOMMatrix, "a" | "e" | "f"> {
  const isInner = element instanceof SVGGraphicsElement && element.ownerSVGElement !== null;
  return (isInner && element.getScreenCTM()) || SCREEN;
}

function shifted(element: Piece, x: number, y: number): string {
  const { a } = ctmOf(element);
  return `translate(${x / a}px, ${y / a}px)`;
}

/** From above, the last few pixels as if it sprang. */
function falling(element: Piece): Keyframe[] {
  return [
    { transform: shifted(element, 0, -46), opacity: 0 },
    { transform: shifted(element, 0, 4), opacity: 1, offset: 0.8 },
    { transform: "none", opacity: 1 },
  ];
}

/** On a low arc. */
function gliding(element: Piece, x: number, y: number): Keyframe[] {
  return [
    { transform: shifted(element, x, y) },
    { transform: shifted(element, x / 2, y / 2 - 16), offset: 0.5 },
    { transform: "none" },
  ];
}

/** A die rolls, and any other piece is set anew. */
function settling(element: Piece): Keyframe[] {
  if (ctmOf(element) !== SCREEN) {
    return [
      { transform: shifted(element, 0, -14) },
      { transform: shifted(element, 0, 4), offset: 0.6 },
      { transform: "none" },
    ];
  }
  return [
    { transform: "rotate(-160deg) scale(0.8)", easing: "steps(3)" },
    { transform: "rotate(20deg) scale(1.08)", offset: 0.7 },
    { transform: "none" },
  ];
}
