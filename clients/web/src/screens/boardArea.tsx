// The area of the board: measures the available space, loads the drawing, handles the keyboard, and
// shows the text board if the drawing throws.

import type { VNode } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Act, Area, Board, Position } from "../board/contract.ts";
import { BoardFrame, placeOf } from "../board/frame.tsx";
import { samePosition } from "../board/position.ts";
import { boardOf, genericBoard } from "../board/registry.ts";
import { textBoard } from "../board/textBoard.tsx";
import { inputOf } from "../state/lineInput.ts";
import { bodyOf, pastOf } from "../state/selectors.ts";
import type { State } from "../state/state.ts";
import { useDrags, useMotion } from "./boardExtras.ts";
import { Boundary } from "./boundary.tsx";
import { lazy } from "./lazy.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** A game's board, once it is loaded; the generic or the text board if it cannot be loaded. */
export function useBoard(state: State, game: string): Board | undefined {
  const [loaded, setLoaded] = useState<Readonly<Record<string, Board>>>({});
  const wanted = [game, bodyOf(state, game)?.board, state.settings.lang] as const;
  useEffect(() => {
    boardOf(...wanted)
      .catch(genericBoard)
      .catch(() => textBoard)
      .then((board) => setLoaded((before) => ({ ...before, [game]: board })));
  }, wanted);
  // Of another language it stays until that one is loaded.
  return loaded[game];
}

/** The inner size of an element, and a ref to attach. */
export function useArea(touch: boolean): readonly [(element: HTMLElement | null) => void, Area] {
  const [size, setSize] = useState({ width: 0, height: 0 });
  const observer = useRef<ResizeObserver | null>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (element === null) return;
    observer.current = new ResizeObserver(([entry]) => {
      const box = entry?.contentRect;
      // An observer tells changes only.
      if (box !== undefined) setSize({ width: box.width, height: box.height });
    });
    observer.current.observe(element);
  }, []);
  return [ref, { ...size, touch }];
}

/** The previous position if no field has changed: then the board is not drawn again. */
export function useSame(position: Position | undefined): Position | undefined {
  const last = useRef(position);
  if (!samePosition(last.current, position)) last.current = position;
  return last.current;
}

function elementOf(root: Element, id: string): HTMLElement | SVGElement | null {
  const matches = root.querySelectorAll<HTMLElement>(`[data-place="${CSS.escape(id)}"]`);
  return [...matches].find(isSeen) ?? null;
}

/** Whether a key moves the focus on the board. */
function isFocusKey({ ctrlKey, altKey, metaKey, key }: KeyboardEvent, letters: boolean): boolean {
  if (ctrlKey || altKey || metaKey) return false;
  return key.startsWith("Arrow") || key === "Home" || (letters && key.toLowerCase() === "n");
}

/** Whether a place can have the focus: a folded one cannot. */
function isSeen(target: Element): boolean {
  const { width, height } = target.getBoundingClientRect();
  return width > 0 && height > 0 && target.checkVisibility({ visibilityProperty: true });
}

/** Moves the focus as a key says; the code comes with the first such key. */
async function moveFocus(event: KeyboardEvent, root: Element): Promise<void> {
  const { stepOf } = await import("./focusMove.ts");
  const targets = [...root.querySelectorAll("[data-place]")].filter(isSeen);
  const to = stepOf(event, targets, placeOf(event.target));
  if (to !== undefined) elementOf(root, to)?.focus();
}

/** Tracks the focus on the board, and moves it to the next place. */
interface Roving {
  readonly onFocusIn: (event: FocusEvent) => void;
  readonly onFocusOut: (event: FocusEvent) => void;
}

/** One place can be reached by Tab: the one that had the focus last, else the first legal one. */
function useRoving(root: { readonly current: HTMLElement | null }): Roving {
  const last = useRef<string | undefined>(undefined);
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    const remembered = last.current === undefined ? null : elementOf(element, last.current);
    const entry =
      remembered ??
      element.querySelector(".may[data-place]") ??
      element.querySelector("[data-place]");
    for (const each of element.querySelectorAll('[data-place][tabindex="0"]')) {
      each.setAttribute("tabindex", "-1");
    }
    entry?.setAttribute("tabindex", "0");
    // The focused place was removed: focus the entry place instead.
    const lost = focused.current?.isConnected === false && document.activeElement === document.body;
    if (lost && (entry instanceof HTMLElement || entry instanceof SVGElement)) entry.focus();
  });
  return {
    onFocusIn: ({ target }) => {
      focused.current = target instanceof Element ? target : null;
      last.current = placeOf(target) ?? last.current;
    },
    onFocusOut: ({ relatedTarget }) => {
      if (relatedTarget !== null) focused.current = null;
    },
  };
}

type Press = (position: Position) => Act | undefined;

/** What a key presses: the focused place, or the game's own shortcut. */
function pressOf(event: KeyboardEvent, board: Board, letters: boolean): Press | undefined {
  const focusedId = placeOf(event.target);
  if (focusedId !== undefined && (event.key === "Enter" || event.key === " ")) {
    return (position) => board.press(focusedId, position);
  }
  if (!letters || event.altKey || event.ctrlKey || event.metaKey) return undefined;
  const boardKey = board.keys?.find((row) => row.key.toLowerCase() === event.key.toLowerCase());
  return boardKey?.press;
}

export interface BoardAreaProps extends ViewProps {
  readonly inputKey: string;
  readonly board: Board | undefined;
  /** Its area is measured here: before that it is empty. */
  readonly position: Position | undefined;
  readonly areaRef: (element: HTMLElement | null) => void;
  /** Why there is no board. */
  readonly missing: string;
}

/** The drawing or its text, and the tray: each in its place of the layout. */
function BoardAndTray(props: BoardAreaProps & { readonly act: (act: Act) => void }): VNode {
  const { state, emit, inputKey, board, position, areaRef, act } = props;
  const strings = stringsOf(state);
  const { asText } = inputOf(state, inputKey);
  const ready = board !== undefined && position !== undefined && position.area.width > 0;
  const Drawn = asText ? board?.AsText : board?.Drawing;
  const Tray = asText && board?.query === undefined ? undefined : board?.Tray;
  const failed = (where: string) => (why: string) =>
    emit({ type: "drawing_failed", where: `${where} ${position?.key}`, why });
  const text = ready && (
    <>
      <p role="alert">{strings.brokenBoard}</p>
      <textBoard.Drawing position={position} act={act} />
    </>
  );
  return (
    <>
      <div class="board-place" data-board ref={areaRef}>
        {ready && Drawn !== undefined ? (
          <Boundary
            key={`${position.key} ${asText}`}
            of={position}
            instead={text}
            onError={failed("board")}
          >
            <Drawn position={position} act={act} />
          </Boundary>
        ) : (
          <p role="status">{props.missing}</p>
        )}
      </div>
      {Tray !== undefined && (
        <div class="tray-place">
          {ready && (
            <Boundary of={position} instead={null} onError={failed("tray")}>
              <Tray position={position} act={act} />
            </Boundary>
          )}
        </div>
      )}
    </>
  );
}

const RefusalBubble = lazy(() =>
  import("./refusalBubble.tsx").then((loaded) => loaded.RefusalBubble),
);

export function BoardArea(props: BoardAreaProps): VNode {
  const { state, emit, inputKey, board, position } = props;
  const root = useRef<HTMLDivElement>(null);
  const roving = useRoving(root);
  const About = useMotion(root, pastOf(state, inputKey) === undefined ? position : undefined);
  const act = (wanted: Act, target?: string): void =>
    emit({ type: "acted", inputKey, act: wanted, ...(target === undefined ? {} : { target }) });
  const scene = { board, position, act };
  useDrags(root, scene);
  const { refusal, text, answers } = inputOf(state, inputKey);
  const onKeyDown = (event: KeyboardEvent): void => {
    const element = root.current;
    if (element === null || event.defaultPrevented) return;
    if (board === undefined || position === undefined) return;
    const { letters } = state.settings;
    const press = pressOf(event, board, letters);
    // Also without a target: keys that move the focus type nothing into the line.
    if (press === undefined && !isFocusKey(event, letters)) return;
    event.preventDefault();
    if (press === undefined) {
      moveFocus(event, element).catch(() => undefined);
      return;
    }
    const pressed = press(position);
    if (pressed !== undefined) act(pressed, placeOf(event.target));
  };
  return (
    <div
      ref={root}
      class="board-root"
      onKeyDown={onKeyDown}
      onFocusIn={roving.onFocusIn}
      onFocusOut={roving.onFocusOut}
    >
      <h2 class="vh">{stringsOf(state).board}</h2>
      <BoardFrame board={board} position={position} act={act}>
        <BoardAndTray {...props} act={act} />
      </BoardFrame>
      {About !== undefined && <About root={root} scene={scene} answers={answers} />}
      {refusal?.target !== undefined && (
        <RefusalBubble
          state={state}
          emit={emit}
          refusal={{ ...refusal, target: refusal.target }}
          onDismiss={() => emit({ type: "typed", inputKey, text })}
        />
      )}
    </div>
  );
}
