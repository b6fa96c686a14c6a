// Railroad Ink: a sheet of paper, dice, and the acts of presses on them.

import type { VNode } from "preact";
import {
  type About,
  type Act,
  type BoardProps,
  defineBoard,
  linesWith,
  nameOf,
  type SeatFacts,
  slotValues,
  Tabs,
} from "../../board/index.ts";
import { byKind, seatsOf } from "../../board/parts.ts";
import { table } from "./drawings.ts";
import { isCompact, shapeFor, TABLET } from "./layout.ts";
import {
  Dice,
  Done,
  Go,
  helpFor,
  mayEnd,
  Orientations,
  PointsPanel,
  PointsTable,
  Specials,
  TurnButton,
} from "./panels.tsx";
import {
  type At,
  armsOf,
  chosenPiece,
  erasable,
  type Fixed,
  linesFor,
  orientationsOf,
  pieceOf,
  planned,
  sheetOf,
  shownSeat,
  slotsOf,
} from "./selectors.ts";
import { LargeSheet } from "./sheet.tsx";
import { armsText, loadPhrases, pieceName, strings, verbs } from "./strings.ts";
import { AsText } from "./text.tsx";
import type { Event, View } from "./view.gen.ts";
import "./board.css";
import "./trays.css";

/** Seven rounds; the view does not contain the number. */
const ROUNDS = 7;
type Props = BoardProps<View, Event, Fixed>;

// The acts of presses.

/** A piece with the chosen square, in its first fitting orientation. */
function pickPiece(position: At, verb: string, slot: string, value: string): Act | undefined {
  const lines = linesWith(position.moves, { [slot]: value }, verb);
  if (lines.length === 0) return undefined;
  const { draft } = position;
  if (draft.verb === verb && draft.slots[slot] === value) {
    if (draft.complete === undefined) return { act: "clear" };
    return { act: "type", text: `/${verb} ${value}` };
  }
  const { square } = draft.slots;
  const there = square === undefined ? [] : linesWith(lines, { square }, verb);
  return pickLine(there) ?? { act: "pick", verb, slots: { [slot]: value }, send: false };
}

/** The first of some lines, to be checked and turned before it is sent. */
function pickLine(lines: At["moves"]): Act | undefined {
  const first = lines[0];
  return first && { act: "pick", verb: first.verb, slots: first.slots, send: false };
}

/** The first of some lines; where there is none, the server says why. */
function pickOrAsk(lines: At["moves"], line: string): Act {
  return pickLine(lines) ?? { act: "why", line };
}

function pressSquare(position: At, square: string): Act | undefined {
  const { draft, moves } = position;
  if (erasable(position, square)) {
    const text = `/erase ${square}`;
    return { act: "type", text, send: draft.text === text };
  }
  const chosen = chosenPiece(position);
  if (chosen !== undefined) {
    const lines = linesFor(position, square);
    if (draft.slots.square === square && draft.complete !== undefined) return turned(position, 1);
    // A piece stays chosen where it does not fit.
    return pickOrAsk(lines, `/${chosen.verb} ${chosen.value} ${square}`);
  }
  const lines = linesWith(moves, { square });
  const first = lines[0];
  if (first === undefined) return undefined;
  if (draft.slots.square === square && chosen === undefined) return { act: "clear" };
  if (lines.length === 1) return pickLine(lines);
  return { act: "type", text: `/${first.verb} _ ${square}` };
}

/** The planned piece in another orientation. */
function turned(position: At, step: number): Act | undefined {
  const orientations = orientationsOf(position);
  const at = orientations.indexOf(position.draft.slots.turn ?? "");
  const next = orientations[(at + step + orientations.length) % orientations.length];
  return next === undefined ? undefined : pickTurn(position, next);
}

function pickTurn(position: At, turn: string): Act | undefined {
  const chosen = chosenPiece(position);
  const { square } = position.draft.slots;
  if (chosen === undefined || square === undefined) return undefined;
  return {
    act: "pick",
    verb: chosen.verb,
    slots: { ...slotsOf(chosen), square, turn },
    send: false,
  };
}

const isMirrored = (orientation: string): boolean => orientation.endsWith("m");

/** R: the next orientation on this side of the piece, if there is one. */
function rotated(position: At): Act | undefined {
  const now = position.draft.slots.turn ?? "";
  const same = orientationsOf(position).filter((each) => isMirrored(each) === isMirrored(now));
  const next = same[(same.indexOf(now) + 1) % Math.max(same.length, 1)];
  return next === undefined || next === now ? turned(position, 1) : pickTurn(position, next);
}

/** F: the first orientation on the other side of the piece. */
function flipped(position: At): Act | undefined {
  const now = position.draft.slots.turn ?? "";
  const other = orientationsOf(position).find((each) => isMirrored(each) !== isMirrored(now));
  return other === undefined ? turned(position, -1) : pickTurn(position, other);
}

/** Sends the planned line. */
function sent(position: At): Act | undefined {
  const { text, complete } = position.draft;
  const ready = complete !== undefined || text.startsWith("/erase ");
  return ready ? { act: "type", text, send: true } : undefined;
}

/**
 * A round cannot be reopened: in a narrow window, where its button replaces the other one, it needs
 * a second press.
 */
function finished(position: At): Act {
  const armed = position.draft.complete?.verb === "done";
  const send = armed || !isCompact(position);
  return { act: "pick", verb: "done", slots: {}, send };
}

const press = byKind<At, Act>({
  die: (position, _, face = "") => pickPiece(position, "draw", "face", face),
  route: (position, route = "") => pickPiece(position, "special", "route", route),
  square: (position, square = "") => pressSquare(position, square),
  turn: (position, turn = "") => pickTurn(position, turn),
  next: (position) => turned(position, 1),
  go: sent,
  done: (position) => {
    if (position.moves.length === 0) return undefined;
    return mayEnd(position) ? finished(position) : { act: "why", line: "/done" };
  },
});

// Dragging a die or a special route onto a square; clicking both has the same effect.

/** The verb of a piece that can be lifted, its slot and the value. */
function liftedLine(piece: string): readonly [string, string, string] | undefined {
  const [kind, first = "", second = ""] = piece.split(" ");
  if (kind === "die") return ["draw", "face", second];
  return kind === "route" ? ["special", "route", first] : undefined;
}

/** A lifted piece is chosen: the squares that it fits into are marked. */
function lifted(piece: string, position: At): Act | undefined {
  const line = liftedLine(piece);
  if (line === undefined || press(piece, position) === undefined) return undefined;
  return { act: "type", text: `/${line[0]} ${line[2]}` };
}

function dropped(piece: string, onto: string, position: At): Act | undefined {
  const line = liftedLine(piece);
  const [target, square = ""] = onto.split(" ");
  if (target !== "square" || line === undefined) return undefined;
  const [verb, slot, value] = line;
  const lines = linesWith(position.moves, { [slot]: value, square }, verb);
  return pickOrAsk(lines, `/${verb} ${value} ${square}`);
}

// The layout of the window.

function Title(props: { position: At; act: (act: Act) => void; shown: number }): VNode | null {
  const { position, act, shown } = props;
  const labels = strings(position.lang);
  if (shown === position.seat || (position.seat === undefined && position.look.seat === undefined))
    return null;
  return (
    <div class="title">
      <b>{labels.sheetOf(nameOf(position.room.seats, shown))}</b>
      <button
        type="button"
        class="btn"
        onClick={() => act({ act: "look", look: { seat: undefined } })}
      >
        {position.seat === undefined ? labels.back : labels.myBoard}
      </button>
    </div>
  );
}

function WideDrawing({ position, act }: Props): VNode {
  const { area, view, seat } = position;
  const shown = shownSeat(position);
  const sheet = sheetOf(position, shown);
  const count = seatsOf(view).filter((each) => each !== seat).length;
  const { where, size, side } = shapeFor(area.width, area.height, count);
  const { OtherBoards } = table.get();
  const otherBoards = <OtherBoards position={position} act={act} shown={shown} />;
  const tools = (
    <>
      {!view.over && <Dice position={position} />}
      {!view.over && seat !== undefined && <Orientations position={position} />}
      <Specials position={position} sheet={sheet} />
      <PointsPanel position={position} sheet={sheet} />
    </>
  );
  return (
    <div
      class={`desk fit others-${where}${side < 290 ? " close" : ""}`}
      style={{
        gridTemplateColumns: `minmax(0, ${where === "column" ? "1fr" : `${size}px`}) ${side}px`,
      }}
    >
      <div class="left">
        <Title position={position} act={act} shown={shown} />
        <div class="paper-place" style={{ maxWidth: `${size}px` }}>
          <LargeSheet position={position} sheet={sheet} size={size} />
        </div>
        {where === "column" && <div class="below-sheet">{tools}</div>}
        {where === "below" && otherBoards}
      </div>
      <div class="right">
        {where !== "column" && tools}
        {where !== "below" && otherBoards}
      </div>
    </div>
  );
}

function Phone({ position, act }: Props): VNode {
  const { area, look, view, seat, lang } = position;
  const labels = strings(lang);
  const shown = shownSeat(position);
  const sheet = sheetOf(position, shown);
  const { OtherBoards } = table.get();
  const alone = seatsOf(view).length < 2;
  const tab = String(look.tab ?? "board");
  const size = Math.max(220, Math.min(area.width, area.height - 44 - 8));
  const tabs = [
    { key: "board", label: shown === seat ? labels.myBoard : nameOf(position.room.seats, shown) },
    ...(alone ? [] : [{ key: "others", label: labels.otherPlayers }]),
    { key: "score", label: labels.score },
  ];
  return (
    <>
      <Tabs
        label={labels.squares}
        tabs={tabs}
        open={tab}
        onOpen={(key) =>
          act({
            act: "look",
            look: { tab: key, ...(key === "board" && tab === "board" ? { seat: undefined } : {}) },
          })
        }
      />
      {tab === "board" && (
        <div class="fit paper-place">
          <LargeSheet position={position} sheet={sheet} size={size} />
        </div>
      )}
      {tab === "others" && (
        <div class="fit scroll">
          <OtherBoards position={position} act={act} shown={shown} />
        </div>
      )}
      {tab === "score" && (
        <div class="fit scroll panel">
          <PointsTable
            position={position}
            sheets={seatsOf(view).map((each) => sheetOf(position, each))}
            names
          />
        </div>
      )}
    </>
  );
}

/** Dice or special routes, and the planned piece: one row. */
function PhoneTray({ position, act }: Props): VNode {
  const { look, draft, lang, seat, view } = position;
  const labels = strings(lang);
  // Each round begins with its dice.
  const special = look.tray === view.round;
  const planning = draft.slots.square !== undefined || draft.text.startsWith("/erase");
  return (
    <div class="phone-tray">
      {special ? (
        <Specials position={position} sheet={sheetOf(position, shownSeat(position))} />
      ) : (
        <Dice position={position} />
      )}
      {!(special && planning && draft.slots.route) && (
        <button
          type="button"
          class="place-button swap"
          aria-pressed={special}
          data-shows={special ? undefined : "route"}
          onClick={() => act({ act: "look", look: { tray: special ? undefined : view.round } })}
        >
          {special ? labels.diceShort : labels.specialShort}
        </button>
      )}
      <TurnButton position={position} />
      {seat !== undefined &&
        (!planning && mayEnd(position) ? <Done position={position} /> : <Go position={position} />)}
    </div>
  );
}

function Drawing(props: Props): VNode {
  const phone = isCompact(props.position);
  return (
    <div class={phone ? "ri phone" : "ri"}>
      {phone ? <Phone {...props} /> : <WideDrawing {...props} />}
    </div>
  );
}

/**
 * On a phone; a wide sheet has the dice beside it. Where the form depends on the height, the tray
 * keeps its place in both forms: else each form would make the space of the other one.
 */
function Tray(props: Props): VNode | null {
  const { view, area } = props.position;
  if (view.over) return null;
  if (!isCompact(props.position)) return area.width < TABLET ? <div /> : null;
  return (
    <div class="ri phone">
      <PhoneTray {...props} />
    </div>
  );
}

function seat(seat: number, position: At): SeatFacts {
  const seatView = position.view.seats[seat];
  if (seatView === undefined) return {};
  const labels = strings(position.lang);
  const score = sheetOf(position, seat).points.total;
  return position.view.over
    ? { score }
    : { score, note: seatView.done ? labels.isDone : labels.draws };
}

function progress({ view, lang }: At): string {
  return strings(lang).round(view.round, ROUNDS);
}

function hint(position: At): string {
  const plan = planned(position);
  const { lang } = position;
  if (plan === undefined) return "";
  return `${plan.square}${strings(lang).and}${pieceName(plan.piece, lang)}${strings(lang).and}${armsText(plan.arms, lang)}`;
}

/**
 * The other orientations of a planned piece; if a square was chosen first, the pieces that fit into
 * it.
 */
function chips(position: At) {
  const { draft, fixed, lang, moves } = position;
  const { square, turn } = draft.slots;
  const chosen = chosenPiece(position);
  if (square === undefined) {
    if (draft.verb !== "draw" || chosen !== undefined) return [];
    return slotValues(draft.lines, "face").map((face) => ({
      text: `/draw ${face} `,
      label: pieceName(face, lang),
    }));
  }
  if (chosen === undefined) {
    const faces = slotValues(linesWith(moves, { square }, "draw"), "face");
    return faces.flatMap((face) => {
      const line = linesWith(moves, { face, square }, "draw")[0];
      return line === undefined ? [] : [{ text: line.text, label: pieceName(face, lang) }];
    });
  }
  const piece = pieceOf(chosen.verb, draft.slots) ?? "";
  return orientationsOf(position)
    .filter((orientation) => orientation !== turn)
    .map((orientation) => ({
      text: `/${chosen.verb} ${chosen.value} ${square} ${orientation}`,
      label: armsText(armsOf(fixed, piece, orientation), lang),
    }));
}

function drawnIn(position: At, square = ""): About | undefined {
  const piece = sheetOf(position, shownSeat(position)).strokes.get(square)?.piece;
  return piece === undefined ? undefined : { things: [piece] };
}

/** The piece on a die, on a card or in a square. */
const about = byKind<At, About>({
  route: (_, route) => ({ things: [`special_${route}`] }),
  die: (_, __, face = "") => ({ things: [face] }),
  square: drawnIn,
  seen: drawnIn,
});

export const board = defineBoard<View, Event, Fixed>({
  pictures: async () => table.get(),
  load: async (lang) => void (await Promise.all([table.load(), loadPhrases(lang)])),
  Drawing,
  Tray,
  AsText,
  press,
  about,
  drag: { lift: lifted, drop: dropped },
  seat,
  progress,
  hint,
  task: helpFor,
  chips,
  keys: [
    { key: "r", label: { en: "turn the piece", ja: "回す" }, press: rotated },
    { key: "f", label: { en: "flip the piece", ja: "反転する" }, press: flipped },
    {
      key: "s",
      label: { en: "send what is planned", ja: "予定を送る" },
      press: sent,
    },
  ],
  verbs,
});
