// Every board in recorded positions, without a server: for drawing, and for screenshots.
//
// The address determines everything, so that a screenshot is one address:
// gallery.html#manhattan/4-middle&lang=ja&theme=dark&w=360&h=420&touch=1&line=/build 2&as=text&bare=1

import { render, type VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { applyAct } from "../src/board/applyAct.ts";
import type {
  Act,
  Answer,
  AnyEvent,
  Board,
  GameBody,
  Lang,
  Look,
  RoomTree,
} from "../src/board/contract.ts";
import { BoardFrame } from "../src/board/index.ts";
import { positionOf } from "../src/board/position.ts";
import { boardOf } from "../src/board/registry.ts";
import { useArea } from "../src/screens/boardArea.tsx";
import { loadStrings } from "../src/strings/index.ts";
import type { RecordedRoom } from "./room.tsx";
import "../src/style/tokens.css";
import "../src/style/base.css";
import "../src/style/kit.css";
import "./gallery.css";

interface Recorded {
  readonly seats: number;
  readonly name: string;
  readonly version: number;
  readonly eyes: readonly number[];
  readonly view: { readonly room: RoomTree; readonly game?: unknown };
  readonly moves: Readonly<Record<string, readonly string[]>>;
  /** The queries that the board would send here, with their answers. */
  readonly answers?: Readonly<
    Record<string, Readonly<Record<Lang, string>> & Pick<Answer, "data">>
  >;
  readonly log: readonly {
    readonly version: number;
    readonly reply: boolean;
    readonly text: Readonly<Record<Lang, readonly string[]>>;
    readonly events: readonly AnyEvent[];
  }[];
}

const FILES = import.meta.glob<{ readonly default: unknown }>("./*/*.json");

/** "manhattan/4-middle" for each recorded position. */
const NAMES = Object.keys(FILES)
  .map((path) => path.slice(2, -5))
  .filter((name) => !name.endsWith("/game"));

async function load(name: string): Promise<unknown> {
  return (await FILES[`./${name}.json`]?.())?.default;
}

interface Shown {
  readonly game: GameBody;
  readonly recorded: Recorded;
  readonly board: Board;
}

interface Settings {
  readonly name: string;
  readonly lang: Lang;
  readonly theme: string;
  readonly w: number;
  readonly h: number;
  readonly touch: boolean;
  readonly as: string;
  readonly bare: boolean;
  /** In the whole screen of a room. */
  readonly room: boolean;
  /** There with a vote, a tip and a refusal. */
  readonly busy: boolean;
  readonly line: string;
}

function settings(): Settings {
  const [name = "", ...rest] = decodeURIComponent(location.hash.slice(1)).split("&");
  const given = new Map(rest.map((each) => each.split(/=(.*)/s, 2) as [string, string]));
  return {
    name: NAMES.includes(name) ? name : (NAMES[0] ?? ""),
    lang: given.get("lang") === "ja" ? "ja" : "en",
    theme: given.get("theme") ?? "",
    w: Number(given.get("w") ?? 1020),
    h: Number(given.get("h") ?? 830),
    touch: given.get("touch") === "1",
    as: given.get("as") ?? "drawing",
    bare: given.get("bare") === "1",
    room: given.get("room") === "1",
    busy: given.get("busy") === "1",
    line: given.get("line") ?? "",
  };
}

function show(wanted: Partial<Settings>): void {
  const { name, ...rest } = { ...settings(), ...wanted };
  const parts = Object.entries(rest).map(([key, value]) => {
    const written = typeof value === "boolean" ? (value ? "1" : "") : String(value);
    return `${key}=${written}`;
  });
  location.hash = [name, ...parts].join("&");
}

function answersIn(recorded: Recorded, lang: Lang): Readonly<Record<string, Answer>> {
  const answers = Object.entries(recorded.answers ?? {});
  return Object.fromEntries(answers.map(([line, text]) => [line, { ...text, text: text[lang] }]));
}

/** The events after my last line. */
function sinceLastTurn(recorded: Recorded): readonly AnyEvent[] {
  const last = recorded.log.findLastIndex((entry) => entry.reply);
  return recorded.log.slice(last + 1).flatMap((entry) => entry.events);
}

function useShown(name: string): Shown | undefined {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    const key = name.split("/")[0] ?? "";
    void Promise.all([load(`${key}/game`), load(name), boardOf(key)]).then(
      ([game, recorded, board]) =>
        setShown({ game: game as GameBody, recorded: recorded as Recorded, board }),
    );
  }, [name]);
  return shown;
}

/** The screen of a room, once it and its style sheets are loaded. */
function useRoom(wanted: boolean): typeof RecordedRoom | undefined {
  const [loaded, setLoaded] = useState<{ readonly RecordedRoom: typeof RecordedRoom }>();
  useEffect(() => {
    if (wanted) void import("./room.tsx").then(setLoaded);
  }, [wanted]);
  return loaded?.RecordedRoom;
}

function Stage({ shown, stage }: { readonly shown: Shown; readonly stage: Settings }): VNode {
  const { game, recorded, board } = shown;
  const [ref, area] = useArea(stage.touch);
  const [text, setText] = useState(stage.line);
  const [look, setLook] = useState<Look>({});
  const [said, setSaid] = useState<readonly string[]>([]);
  useEffect(() => {
    setText(stage.line);
    setLook({});
  }, [stage.name, stage.line]);
  const position = positionOf({
    game,
    view: recorded.view,
    eyes: recorded.eyes,
    moves: recorded.moves,
    text,
    since: sinceLastTurn(recorded),
    lang: stage.lang,
    look,
    answers: answersIn(recorded, stage.lang),
    area,
  });
  const act = (wanted: Act): void => {
    if (wanted.act === "look") setLook((now) => ({ ...now, ...wanted.look }));
    if (wanted.act === "ask") setSaid((now) => [...now, `? ${wanted.line}`]);
    const typed = applyAct(wanted, position, stage.touch ? "ask" : "at once");
    if (typed === null) return;
    setText(typed.text);
    if (typed.send) setSaid((now) => [...now, `> ${typed.text}`]);
  };
  const Drawn = stage.as === "text" ? board.AsText : board.Drawing;
  const seats = Object.keys(recorded.view.room.seats).map(Number);
  return (
    <main>
      <div class="stage" style={{ width: `${stage.w}px`, height: `${stage.h}px` }}>
        <BoardFrame board={board} position={position} act={act}>
          <div class="board-place" ref={ref}>
            {area.width > 0 && <Drawn position={position} act={act} />}
          </div>
          {board.Tray !== undefined && stage.as !== "text" && (
            <div class="tray-place">
              {area.width > 0 && <board.Tray position={position} act={act} />}
            </div>
          )}
        </BoardFrame>
      </div>
      {!stage.bare && (
        <aside>
          <label>
            line <input value={text} onInput={(event) => setText(event.currentTarget.value)} />
          </label>
          <p>
            {position.draft.lines.length} legal lines
            {position.draft.complete !== undefined && ", complete"}; {board.hint?.(position)}
          </p>
          <p>{board.progress?.(position)}</p>
          <ul>
            {seats.map((seat) => (
              <li key={seat}>
                {seat}: {JSON.stringify(board.seat?.(seat, position))}
              </li>
            ))}
          </ul>
          <ul>
            {board.chips?.(position).map((chip) => (
              <li key={chip.text}>
                {chip.text} {chip.label} {chip.effect}
              </li>
            ))}
          </ul>
          <ul class="mono">
            {said.map((line, at) => (
              <li key={`${at} ${line}`}>{line}</li>
            ))}
          </ul>
          <ul>
            {recorded.log
              .flatMap((entry) => entry.text[stage.lang])
              .slice(-12)
              .map((line, at) => (
                <li key={`${at} ${line}`}>{line}</li>
              ))}
          </ul>
        </aside>
      )}
    </main>
  );
}

const SIZES = [
  [1020, 830],
  [700, 620],
  [360, 420],
  [1900, 1300],
] as const;

function Gallery(): VNode {
  const [stage, setStage] = useState(settings());
  useEffect(() => {
    const changed = (): void => setStage(settings());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  useEffect(() => {
    document.documentElement.lang = stage.lang;
    document.documentElement.dataset.theme = stage.theme;
  }, [stage.lang, stage.theme]);
  const shown = useShown(stage.name);
  const Room = useRoom(stage.room);
  if (stage.room) {
    if (shown === undefined || Room === undefined) return <p />;
    const { game, recorded } = shown;
    return (
      <Room
        key={`${game.key} ${recorded.seats} ${recorded.name} ${stage.lang} ${stage.touch}`}
        {...{ game, recorded }}
        lang={stage.lang}
        touch={stage.touch}
        busy={stage.busy}
      />
    );
  }
  return (
    <>
      {!stage.bare && (
        <nav>
          <select
            value={stage.name}
            onChange={(event) => show({ name: event.currentTarget.value })}
          >
            {NAMES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <button
            type="button"
            class="btn"
            onClick={() => show({ lang: stage.lang === "en" ? "ja" : "en" })}
          >
            {stage.lang}
          </button>
          <button
            type="button"
            class="btn"
            onClick={() => show({ theme: stage.theme === "dark" ? "light" : "dark" })}
          >
            {stage.theme || "system"}
          </button>
          {SIZES.map(([w, h]) => (
            <button
              type="button"
              class="btn"
              key={w}
              onClick={() => show({ w, h, touch: w < 600 })}
            >
              {w} × {h}
            </button>
          ))}
          <button
            type="button"
            class="btn"
            onClick={() => show({ as: stage.as === "text" ? "drawing" : "text" })}
          >
            {stage.as}
          </button>
        </nav>
      )}
      {shown !== undefined && shown.recorded !== undefined && <Stage shown={shown} stage={stage} />}
    </>
  );
}

await Promise.all([loadStrings("en"), loadStrings("ja")]);
render(<Gallery />, document.body);
