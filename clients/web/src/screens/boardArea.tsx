// The area of the board: measures the available space, loads the drawing, and shows the text board if
// the drawing throws.

import type { VNode } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Act, Area, Board, Position } from "../board/contract.ts";
import { BoardFrame } from "../board/frame.tsx";
import { samePosition } from "../board/position.ts";
import { boardOf, genericBoard } from "../board/registry.ts";
import { textBoard } from "../board/textBoard.tsx";
import { inputOf } from "../state/lineInput.ts";
import { bodyOf, pastOf } from "../state/selectors.ts";
import type { State } from "../state/state.ts";
import { useBoardInput, useMotion } from "./boardExtras.ts";
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
  const About = useMotion(emit, root, pastOf(state, inputKey) === undefined ? position : undefined);
  const act = (wanted: Act, target?: string): void =>
    emit({ type: "acted", inputKey, act: wanted, target });
  const scene = { board, position, act };
  useBoardInput(emit, root, { ...scene, letters: state.settings.letters });
  const { refusal, text, answers } = inputOf(state, inputKey);
  return (
    <div ref={root} class="board-root">
      <h2 class="vh">{stringsOf(state).board}</h2>
      <BoardFrame board={board} position={position} act={act}>
        <BoardAndTray {...props} act={act} />
      </BoardFrame>
      {About && <About root={root} scene={scene} answers={answers} />}
      {refusal?.target !== undefined && (
        <RefusalBubble
          {...props}
          refusal={{ ...refusal, target: refusal.target }}
          onDismiss={() => emit({ type: "typed", inputKey, text })}
        />
      )}
    </div>
  );
}
