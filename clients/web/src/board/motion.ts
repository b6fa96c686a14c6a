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
  /** Pixels of the screen per unit of its transform; undefined outside of a drawing. */
  readonly scale: number | undefined;
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

/** What plays at a piece, and waits for that: the browser moves no piece with two animations. */
const motions = new Map<Piece, Step[]>();
const watchers = new Set<(playing: Playing | undefined) => void>();
let freeAt = 0;
/** The position that was drawn last, and its pieces if the next one is an update of it. */
let drawn: Position | undefined;
let before: Snapshot | undefined;

/** Whether an update of the game, and nothing else, has led from a position to the next. */
function isUpdate(from: Position | undefined, to: Position | undefined): boolean {
  if (!from || !to || from.view === to.view) return false;
  const same = from.area.width === to.area.width && from.area.height === to.area.height;
  return same && from.lang === to.lang && from.look === to.look;
}

/** Notes the pieces on the screen, before a position is drawn; undefined: none that may move. */
export function beforeDrawing(root: Element | null, position: Position | undefined): void {
  const isStill = document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  before = root && !isStill && isUpdate(drawn, position) ? snapshot(root) : undefined;
  drawn = position;
}

/** Moves what has changed since `beforeDrawing`. */
export function afterDrawing(root: Element | null): void {
  if (before && root) moveChanged(root, before);
  before = undefined;
}

for (const type of ["pointerdown", "keydown"]) addEventListener(type, skipMotion, true);

/** The pieces as they are drawn now. */
function snapshot(root: Element): Snapshot {
  const pieces = new Map<string, Seen>();
  for (const element of root.querySelectorAll<Piece>("[data-piece]")) {
    const { left, top, width, height } = element.getBoundingClientRect();
    const { piece = "", state = "" } = element.dataset;
    let id = piece;
    // Several pieces of one id are counted.
    while (pieces.has(id)) id += " ";
    const drawing = (element as Partial<SVGElement>).ownerSVGElement;
    const { a: unit, e, f } = drawing?.getScreenCTM() ?? { a: 1, e: 0, f: 0 };
    pieces.set(id, {
      element,
      x: (left + width / 2 - e) / unit,
      y: (top + height / 2 - f) / unit,
      unit,
      scale: drawing ? (element as SVGGraphicsElement).getScreenCTM()?.a : undefined,
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
  for (const element of motions.keys()) element.getAnimations()[0]?.cancel();
  motions.clear();
  freeAt = 0;
  for (const watcher of watchers) watcher(undefined);
}

/** Moves what has changed since a snapshot. */
function moveChanged(root: Element, before: Snapshot): void {
  const now = snapshot(root);
  let fallen = 0;
  const steps = [...now].flatMap(([id, to]) => {
    const vanished = ([id, old]: readonly [string, Seen]) => old.state === to.state && !now.has(id);
    const from = before.get(id) ?? [...before].find(vanished)?.[1];
    const { element } = to;
    if (element.dataset.turns !== undefined) {
      // About its middle, from its back.
      const keyframes = [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }];
      return from?.state === to.state ? [] : [{ element, keyframes, ms: TURN_MS, after: 0 }];
    }
    if (from) return changing(from, to);
    return [{ element, keyframes: falling(to), ms: FLY_MS, after: fallen++ * APART_MS }];
  });
  if (steps.length > 0 && steps.length <= CHANGES_MAX) queue(steps);
}

/** How a piece moves that is elsewhere, or has another state; none if it is as before. */
function changing(from: Seen, to: Seen): readonly Step[] {
  const { element, state, unit } = to;
  const after = 0;
  if (from.state !== state) {
    // A die that is not rolled yet lies still.
    return state === "" ? [] : [{ element, keyframes: settling(to), ms: SETTLE_MS, after }];
  }
  const [x, y] = [(from.x - to.x) * unit, (from.y - to.y) * unit];
  if (Math.hypot(x, y) < (from.unit === unit ? MOVED_LEAST : ZOOMED_LEAST)) return [];
  const route = element.dataset.route?.split(" ") ?? [];
  if (route.length < 2) {
    // On a low arc.
    const keyframes = [
      shifted(to, x, y),
      shifted(to, x / 2, y / 2 - 16, 0.5),
      shifted(to, 0, 0, 1),
    ];
    return [{ element, keyframes, ms: FLY_MS, after }];
  }
  const keyframes = route.map((offset) => ({ transform: `translate(${offset})` }));
  return [{ element, keyframes, ms: Math.min(route.length * STEP_MS, ROUTE_MS), after }];
}

interface Step {
  readonly element: Piece;
  readonly keyframes: Keyframe[];
  readonly ms: number;
  /** Begins so much later than the others; once it is queued, when it begins. */
  after: number;
}

/** Plays some steps at once, after what is in the queue. */
function queue(steps: readonly Step[]): void {
  const now = performance.now();
  if (freeAt - now > QUEUE_MS - READ_MS) skipMotion();
  const from = Math.max(now, freeAt);
  freeAt = from + READ_MS;
  for (const step of steps) {
    step.after += from;
    freeAt = Math.max(freeAt, step.after + step.ms);
    add(step);
  }
  for (const watcher of watchers) watcher({ from, until: freeAt });
}

/** Plays a step after those of its piece, which from now on begin and end where it begins. */
function add(step: Step): void {
  const { element, keyframes } = step;
  const steps = motions.get(element) ?? [];
  for (const frame of steps.flatMap((each) => each.keyframes)) {
    frame.transform = `${keyframes[0]?.transform} ${frame.transform}`;
  }
  const effect = element.getAnimations()[0]?.effect as KeyframeEffect | undefined;
  effect?.setKeyframes(steps[0]?.keyframes ?? []);
  if (steps.push(step) === 1) play(element, steps);
}

/** Plays the first of some steps, and then the next one. */
function play(element: Piece, steps: Step[]): void {
  const [step] = steps;
  motions.set(element, steps);
  if (!step) return void motions.delete(element);
  const animation = element.animate(step.keyframes, {
    duration: step.ms,
    delay: step.after - performance.now(),
    easing: EASE,
    // Where it ends, too: the next one begins there.
    fill: "both",
  });
  animation.onfinish = () => {
    animation.cancel();
    steps.shift();
    play(element, steps);
  };
}

/** Away from its place by so many pixels of the screen. */
function shifted({ scale = 1 }: Seen, x: number, y: number, offset = 0): Keyframe {
  return { transform: `translate(${x / scale}px, ${y / scale}px)`, offset };
}

/** From above, the last few pixels as if it sprang. */
function falling(to: Seen): Keyframe[] {
  return [
    { ...shifted(to, 0, -46), opacity: 0 },
    { ...shifted(to, 0, 4, 0.8), opacity: 1 },
    { ...shifted(to, 0, 0, 1), opacity: 1 },
  ];
}

/** A die rolls, and any other piece is set anew. */
function settling(to: Seen): Keyframe[] {
  if (to.scale !== undefined)
    return [shifted(to, 0, -14), shifted(to, 0, 4, 0.6), shifted(to, 0, 0, 1)];
  return [
    { transform: "rotate(-160deg) scale(0.8)", easing: "steps(3)" },
    { transform: "rotate(20deg) scale(1.08)", offset: 0.7 },
    shifted(to, 0, 0, 1),
  ];
}
