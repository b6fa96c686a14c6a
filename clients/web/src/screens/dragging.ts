// Dragging a place onto another one: a copy of the lifted drawing follows the pointer or finger, and
// goes back where it is dropped on nothing. Loaded with the first board whose places can be dragged.

import type { Act, Board, Position } from "../board/contract.ts";
import { placeOf } from "../board/frame.tsx";
import "../style/dragging.css";

/** A press that moves less is a click. */
const DRAG_PIXELS = 8;
/** A finger would hide the copy. */
const ABOVE_FINGER = 50;
const BACK_MS = 180;

interface Lifted {
  readonly source: string;
  readonly element: Element;
  readonly x: number;
  readonly y: number;
  readonly ghost: HTMLElement | undefined;
}

/** The elements between a place and its board, from the outside. */
function around(element: Element): readonly Element[] {
  const parent = element.parentElement;
  if (parent === null) return [];
  return parent.matches(".board") ? [parent] : [...around(parent), parent];
}

/** A copy of the drawing of a place, which lies over the page and takes no presses. */
function ghostOf(element: Element): HTMLElement {
  const { width, height } = element.getBoundingClientRect();
  const ghost = document.createElement("div");
  ghost.className = "drag-ghost";
  ghost.setAttribute("aria-hidden", "true");
  ghost.style.width = `${width}px`;
  ghost.style.height = `${height}px`;
  // The styles of a board depend on what is around a place: empty copies of it without boxes.
  let inner: Element = ghost;
  for (const each of around(element)) {
    const shell = document.createElement("div");
    shell.className = each.className;
    shell.style.display = "contents";
    inner.append(shell);
    inner = shell;
  }
  const copy = element.cloneNode(true) as Element;
  for (const name of ["data-place", "tabindex", "role"]) copy.removeAttribute(name);
  copy.classList.add("dragged");
  inner.append(copy);
  document.body.append(ghost);
  return ghost;
}

function goBack(ghost: HTMLElement, home: Element): void {
  const { left, top } = home.getBoundingClientRect();
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const end = { transform: `translate(${left}px, ${top}px)` };
  const moving = ghost.animate([end], { duration: still ? 0 : BACK_MS, easing: "ease-out" });
  moving.onfinish = () => ghost.remove();
}

/** What a drag needs to know as it goes on: the board and its newest position. */
export interface DragScene {
  readonly board: Board | undefined;
  readonly position: Position | undefined;
  readonly act: (act: Act, target?: string) => void;
}

/** Listens to the pointer over a board and its tray; `scene` is read at each event. */
export function listenToDrags(root: HTMLElement, scene: () => DragScene): () => void {
  let lifted: Lifted | undefined;
  const onDown = (event: PointerEvent): void => {
    const source = placeOf(event.target);
    const element = event.target instanceof Element && event.target.closest("[data-place]");
    const { board, position } = scene();
    if (!event.isPrimary || source === undefined || !element || position === undefined) return;
    if (board?.drag?.lift(source, position) === undefined) return;
    lifted = { source, element, x: event.clientX, y: event.clientY, ghost: undefined };
  };
  const onMove = (event: PointerEvent): void => {
    if (lifted === undefined) return;
    const { clientX: x, clientY: y, pointerType } = event;
    if (lifted.ghost === undefined) {
      if (Math.hypot(x - lifted.x, y - lifted.y) < DRAG_PIXELS) return;
      lifted = { ...lifted, ghost: ghostOf(lifted.element) };
      const { board, position, act } = scene();
      const wanted = position && board?.drag?.lift(lifted.source, position);
      if (wanted !== undefined) act(wanted);
    }
    const { ghost } = lifted;
    if (ghost === undefined) return;
    const raised = pointerType === "touch" ? ABOVE_FINGER : 0;
    const [left, top] = [x - ghost.offsetWidth / 2, y - raised - ghost.offsetHeight / 2];
    ghost.style.transform = `translate(${left}px, ${top}px)`;
    const under = document.elementFromPoint(x, y)?.closest("[data-place]");
    const isWrong = under != null && under !== lifted.element && !under.matches(".may, .chosen");
    ghost.classList.toggle("wrong", isWrong);
  };
  const onUp = (event: PointerEvent): void => {
    const last = lifted;
    lifted = undefined;
    if (last?.ghost === undefined) return;
    const onto = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    const { board, position, act } = scene();
    const wanted =
      onto === undefined || position === undefined
        ? undefined
        : board?.drag?.drop(last.source, onto, position);
    if (wanted !== undefined) act(wanted, onto);
    if (wanted === undefined || wanted.act === "why") goBack(last.ghost, last.element);
    else last.ghost.remove();
  };
  const onCancel = (): void => {
    lifted?.ghost?.remove();
    lifted = undefined;
  };
  root.addEventListener("pointerdown", onDown);
  addEventListener("pointermove", onMove);
  addEventListener("pointerup", onUp);
  addEventListener("pointercancel", onCancel);
  return () => {
    onCancel();
    root.removeEventListener("pointerdown", onDown);
    removeEventListener("pointermove", onMove);
    removeEventListener("pointerup", onUp);
    removeEventListener("pointercancel", onCancel);
  };
}
