// The pictures of the chapters of the rules, as `chapters.json` of a game says: parts of a board side by
// side, all of one height.

import type { Lang, RuleDrawing, RulePicture, RulePictures } from "./contract.ts";
import { Icon, type IconName } from "./icons.tsx";
import { Piece } from "./piece.tsx";

const HEIGHT = 48;
const GAP = 6;
/** An average letter of a text in a picture, and a wide one. */
const LETTER = 9.8;
const WIDE = 15.5;

/** `room` is left free above and below a picture that is `shown` from another chapter. */
export interface Chapters {
  readonly room?: number;
  readonly chapters: Readonly<
    Record<string, Readonly<Record<Lang, string>> & { readonly row: readonly (string | Typed)[] }>
  >;
}

/** A typed line, in the words of each language. */
type Typed = Readonly<Record<Lang, string>>;

/** A picture of the game's board, brought to the height of the row; empty if there is none. */
export function scaled(
  { box, drawing }: Pick<RulePicture, "box" | "drawing">,
  room = 0,
): RuleDrawing {
  const [x = 0, y = 0, width = 1, height = 1] = box.split(" ").map(Number);
  const scale = (HEIGHT - 2 * room) / height;
  const to = `translate(0 ${room}) scale(${scale.toFixed(3)}) translate(${-x} ${-y})`;
  return { width: width * scale, drawing: <g transform={to}>{drawing}</g> };
}

/** A piece of a seat, by its letter. */
export function piece(seat: number, text?: string): RuleDrawing {
  return { width: 34, drawing: <Piece seat={seat} x={17} y={24} r={14} text={text} /> };
}

/** A die by its number; "?" before it is thrown. */
function die(value: string): RuleDrawing {
  return {
    width: 40,
    drawing: (
      <>
        <rect x={2} y={6} width={36} height={36} rx={8} fill="none" stroke="currentColor" />
        <text class="words" x={20} y={30} text-anchor="middle">
          {value}
        </text>
      </>
    ),
  };
}

function icon(name: IconName): RuleDrawing {
  return {
    width: 34,
    drawing: (
      <g transform="translate(2 9)" fill="none" stroke="currentColor" stroke-width={1.8}>
        <Icon name={name} size={30} />
      </g>
    ),
  };
}

/** Words, figures or a typed line. */
function text(shown: string): RuleDrawing {
  const width = [...shown].reduce((sum, each) => sum + (each > "\u2fff" ? WIDE : LETTER), 4);
  return {
    width,
    drawing: (
      <text class="words" x={width / 2} y={30} text-anchor="middle">
        {shown}
      </text>
    ),
  };
}

/** The one picture of a chapter, with its caption. */
function picture(name: string, parts: readonly RuleDrawing[]): readonly RulePicture[] {
  let at = 0;
  const drawing = parts.map((each) => {
    const x = at;
    at += each.width + GAP;
    return (
      <g key={x} transform={`translate(${x.toFixed(1)} 0)`}>
        {each.drawing}
      </g>
    );
  });
  return [{ name, box: `0 0 ${(at - GAP).toFixed(1)} ${HEIGHT}`, drawing: <>{drawing}</> }];
}

/** The pictures of all chapters; `drawn` draws those of the board, and `parts` what it names. */
export function rowsOf(
  { room, chapters }: Chapters,
  lang: Lang,
  drawn: () => RulePictures,
  parts: Readonly<Record<string, (...numbers: readonly number[]) => RuleDrawing>> = {},
): RulePictures {
  const drawingOf = (token: string | Typed): RuleDrawing => {
    if (typeof token !== "string") return text(token[lang]);
    const [kind = "", ...values] = token.split(" ");
    const [value = "", at = ""] = values;
    if (kind === "piece") return piece(Number(value));
    if (kind === "die") return die(value);
    if (kind === "icon") return icon(value as IconName);
    // A picture of another chapter, by its place there; empty where the board draws none.
    const shape = kind === "shown" ? drawn()[value]?.[Number(at)] : undefined;
    if (shape !== undefined) return scaled(shape, room);
    return parts[kind]?.(...values.map(Number)) ?? text(kind === "text" ? values.join(" ") : "");
  };
  const rows = Object.entries(chapters).map(([number, { row, ...names }]) => [
    number,
    picture(names[lang], row.map(drawingOf)),
  ]);
  return Object.fromEntries(rows);
}
