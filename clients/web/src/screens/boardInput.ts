// The keyboard on a board: one place can be reached by Tab, arrows move the focus, Enter presses; and
// dragging, where its places can be dragged. Loaded after the board.

import type { Act, Board, Position } from "../board/contract.ts";
import { placeOf } from "../board/frame.tsx";
import type { DragScene } from "./dragging.ts";
import { stepOf } from "./focusMove.ts";

export interface InputScene extends DragScene {
  /** Whether letters are shortcuts. */
  readonly letters: boolean;
}

type Target = HTMLElement | SVGElement;

/** Whether a place can have the focus: a folded one cannot. */
function isSeen(target: Element): boolean {
  const { width, height } = target.getBoundingClientRect();
  return width > 0 && height > 0 && target.checkVisibility({ visibilityProperty: true });
}

/** The element of a place that is seen. */
function elementOf(root: Element, id: string): Target | undefined {
  return [...root.querySelectorAll<Target>(`[data-place="${CSS.escape(id)}"]`)].find(isSeen);
}

function moveFocus(event: KeyboardEvent, root: Element): void {
  const targets = [...root.querySelectorAll("[data-place]")].filter(isSeen);
  const to = stepOf(event, targets, placeOf(event.target));
  if (to !== undefined) elementOf(root, to)?.focus();
}

function isPlain({ ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return !(ctrlKey || altKey || metaKey);
}

/** Whether a key moves the focus on the board. */
function isFocusKey(event: KeyboardEvent, letters: boolean): boolean {
  const { key } = event;
  if (!isPlain(event)) return false;
  return key.startsWith("Arrow") || key === "Home" || (letters && key.toLowerCase() === "n");
}

type Press = (position: Position) => Act | undefined;

/** What a key presses: the focused place, or the game's own shortcut. */
function pressOf(event: KeyboardEvent, board: Board, letters: boolean): Press | undefined {
  const focusedId = placeOf(event.target);
  if (focusedId !== undefined && (event.key === "Enter" || event.key === " ")) {
    return (position) => board.press(focusedId, position);
  }
  if (!letters || !isPlain(event)) return undefined;
  const boardKey = board.keys?.find((row) => row.key.toLowerCase() === event.key.toLowerCase());
  return boardKey?.press;
}

function keyPressed(event: KeyboardEvent, root: Element, scene: InputScene): void {
  const { board, position, act, letters } = scene;
  if (event.defaultPrevented || board === undefined || position === undefined) return;
  const press = pressOf(event, board, letters);
  // Also without a target: keys that move the focus type nothing into the line.
  if (press === undefined && !isFocusKey(event, letters)) return;
  event.preventDefault();
  if (press === undefined) {
    moveFocus(event, root);
    return;
  }
  const pressed = press(position);
  if (pressed !== undefined) act(pressed, placeOf(event.target));
}

export interface BoardInput {
  /** To be called after each drawing. */
  readonly drawn: () => void;
  readonly stop: () => void;
}

/** Listens on a board. Tab reaches the place that had the focus last, else the first legal one. */
export function listenToBoard(root: HTMLElement, scene: () => InputScene): BoardInput {
  let last: string | undefined;
  let focused: Element | null = null;
  let drags: Promise<(() => void) | undefined> | undefined;
  const listening = new AbortController();
  const { signal } = listening;
  root.addEventListener("keydown", (event) => keyPressed(event, root, scene()), { signal });
  const entered = (): void => {
    focused = document.activeElement;
    last = placeOf(focused) ?? last;
  };
  if (root.contains(document.activeElement)) entered();
  root.addEventListener("focusin", entered, { signal });
  root.addEventListener(
    "focusout",
    ({ relatedTarget }) => {
      if (relatedTarget) focused = null;
    },
    { signal },
  );
  return {
    drawn: () => {
      // A replay has no lines, and nothing to drag.
      if (scene().board?.drag !== undefined) {
        drags ??= import("./dragging.ts").then(
          ({ listenToDrags }) => listenToDrags(root, scene),
          (): undefined => {
            // The next drawing tries again.
            drags = undefined;
          },
        );
      }
      const entry =
        (last === undefined ? undefined : elementOf(root, last)) ??
        root.querySelector<Target>(".may[data-place]") ??
        root.querySelector<Target>("[data-place]");
      for (const each of root.querySelectorAll('[data-place][tabindex="0"]')) {
        each.setAttribute("tabindex", "-1");
      }
      entry?.setAttribute("tabindex", "0");
      // The focused place was removed: focus the entry place instead.
      const lost = focused && !focused.isConnected && document.activeElement === document.body;
      if (lost) entry?.focus();
    },
    stop: () => {
      listening.abort();
      drags?.then((stop) => stop?.());
    },
  };
}
