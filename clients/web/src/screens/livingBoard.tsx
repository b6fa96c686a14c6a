// The living board of the start page: a recorded game, a move every two seconds, over the cover of
// its game. It stands still in a hidden tab and with reduced motion.

import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Board, GameBody, Lang, RoomTree } from "../board/contract.ts";
import { bothLanguages } from "../board/index.ts";
import { positionOf } from "../board/position.ts";
import { boardOf } from "../board/registry.ts";
import { apply } from "../sdk/patch.ts";
import type { Branch } from "../sdk/tree.ts";
import type { ViewProps } from "./viewProps.ts";
// Not for its looks: it and the registry are one chunk, which a room needs next.
import "./roomStyle.ts";

const MOVE_MS = 2000;
/** How many moves long the end stays. */
const END_MOVES = 4;
/** The size at which the board is drawn; the box shows it smaller. */
const AREA = { width: 800, height: 500, touch: false } as const;

const strings = bothLanguages(
  { watch: "Recorded game · Watch others" },
  { watch: "対局の記録 · 観戦へ" },
);

interface Recorded {
  readonly game: unknown;
  /** What a spectator saw at first, and the merge patches that led from it to the end. */
  readonly view: Branch;
  readonly steps: readonly Branch[];
}

const GAMES = import.meta.glob<{ readonly default: Recorded }>("./recorded/*.json");

interface Shown {
  readonly board: Board;
  readonly game: GameBody;
  readonly views: readonly Branch[];
}

/** All views of a recorded game; undefined if there is no recording. */
export async function recordingOf(key: string, lang: Lang): Promise<Shown | undefined> {
  const load = GAMES[`./recorded/${key}.json`];
  if (load === undefined) return undefined;
  const [{ default: recorded }, board] = await Promise.all([load(), boardOf(key, [], lang)]);
  const views = [recorded.view];
  for (const patch of recorded.steps) views.push(apply(patch, views.at(-1)) as Branch);
  return { board, game: recorded.game as GameBody, views };
}

/** The number of the present move: it begins in the game, and goes round with a rest at the end. */
function useMove(count: number): number {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const [at, setAt] = useState(Math.floor(count / 4));
  useEffect(() => {
    if (still) return;
    const timer = setInterval(() => {
      if (!document.hidden) setAt((now) => (now + 1) % (count + END_MOVES));
    }, MOVE_MS);
    return () => clearInterval(timer);
  }, [count]);
  return still ? Math.floor(count / 2) : Math.min(at, count - 1);
}

function Playing({ state, emit, shown }: ViewProps & { readonly shown: Shown }): VNode {
  const { board, game, views } = shown;
  const { lang } = state.settings;
  const view = views[useMove(views.length)] as { readonly room: RoomTree } | undefined;
  const { Drawing } = board;
  const position =
    view &&
    positionOf({
      ...{ game, view, lang, area: AREA, eyes: [], moves: {}, text: "", since: [] },
      ...{ look: {}, answers: {} },
    });
  const box = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(1);
  useLayoutEffect(() => setScale((box.current?.clientWidth ?? 0) / AREA.width));
  const { width, height } = AREA;
  return (
    <>
      <div class="living" ref={box} inert aria-hidden="true">
        <div
          class={`board board-${game.key}`}
          style={{ width: `${width}px`, height: `${height}px`, scale: `${scale}` }}
        >
          <div class="board-place">
            {position && <Drawing position={position} act={() => undefined} />}
          </div>
        </div>
      </div>
      <button type="button" class="btn living-door" onClick={() => emit({ type: "to_lobby" })}>
        {strings(lang).watch}
      </button>
    </>
  );
}

export function LivingBoard(props: ViewProps): VNode | null {
  const { choice, settings } = props.state;
  const { lang } = settings;
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    let wanted = true;
    setShown(undefined);
    recordingOf(choice, lang).then(
      (loaded) => wanted && setShown(loaded),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [choice, lang]);
  return shown === undefined ? null : <Playing key={choice} {...props} shown={shown} />;
}
