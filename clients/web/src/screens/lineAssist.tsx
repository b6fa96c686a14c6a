// What helps to type a line: suggestions, the completion below the text, and what keys do. Loaded once
// the line is drawn.

import type { RefObject, VNode } from "preact";
import type { Board, Position } from "../board/contract.ts";
import { suggestions } from "../line/complete.ts";
import { lineKey, shortened } from "../line/lineKeys.ts";
import { ghostOf, nextValues, type Suggestion } from "../line/nextValues.ts";
import { wrongFrom } from "../line/parse.ts";
import { isSecret } from "../line/secretLines.ts";
import { inputOf } from "../state/lineInput.ts";
import { bodyOf } from "../state/selectors.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

export interface LineProps extends ViewProps {
  readonly inputKey: string;
  readonly board?: Board | undefined;
  readonly position: Position | undefined;
}

/** More would hide the board on a phone; the others can be typed. */
const CHIPS_MAX = 24;

/** The board's suggestions, in the form of the line's. */
function chipsOf(board: Board | undefined, position: Position | undefined): readonly Suggestion[] {
  if (board?.chips === undefined || position === undefined) return [];
  return board.chips(position).map((chip) => ({
    text: chip.text,
    insertion: chip.text,
    label: chip.label ?? chip.text,
    help: chip.effect,
  }));
}

/** The suggestions: the board's own chips, the next values of a move, or completions. */
export function offered(props: LineProps): readonly Suggestion[] {
  return allOffered(props).slice(0, CHIPS_MAX);
}

function allOffered(props: LineProps): readonly Suggestion[] {
  const { state, inputKey, board, position } = props;
  const { text, catalogue, pending } = inputOf(state, inputKey);
  if (pending !== undefined) return [];
  if (position?.draft.complete !== undefined) return [];
  if (text === "" || position?.draft.verb !== undefined) {
    const boardChips = chipsOf(board, position);
    if (boardChips.length > 0) return boardChips;
    if (position !== undefined && position.moves.length > 0) {
      const { draft, moves, game } = position;
      return nextValues(draft, moves, game.verbs, game.words, state.settings.lang);
    }
  }
  const room = state.session.mirror.rooms[inputKey];
  const body = room === undefined ? undefined : bodyOf(state, room.game);
  return suggestions({
    text,
    draft: position?.draft,
    moves: position?.moves ?? [],
    verbs: body?.verbs ?? [],
    catalogue,
    options: [...(body?.options ?? []), ...(body?.general ?? [])],
    valueNames: body?.words,
    lang: state.settings.lang,
  });
}

/** The suggestions, and what a key may change. */
interface Editing {
  readonly matches: readonly Suggestion[];
  /** The index of the selected suggestion; -1 for none. */
  readonly chosen: number;
  /** How many lines back in the history; 0 for the line being typed. */
  readonly back: number;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly setChosen: (chosen: number) => void;
  readonly setBack: (back: number) => void;
  readonly send: () => void;
}

function take({ emit, inputKey, input }: LineProps & Editing, { text }: Suggestion): void {
  emit({ type: "typed", inputKey, text });
  input.current?.focus();
}

export function Chips(props: LineProps & Editing): VNode {
  const { matches, chosen } = props;
  return (
    <div
      class="chips"
      id="suggestions"
      role="listbox"
      aria-label={stringsOf(props.state).suggestions}
    >
      {matches.map((each, at) => (
        <button
          key={each.text}
          id={`suggestion-${at}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={at === chosen}
          class={at === chosen ? "chip on" : "chip"}
          onClick={() => take(props, each)}
        >
          <span class={each.label === undefined ? "mono" : ""}>{each.label ?? each.insertion}</span>
          {each.help !== undefined && each.help !== each.insertion && <i>{each.help}</i>}
        </button>
      ))}
    </div>
  );
}

/** The span of the error: the server's, else from the first token that fits no legal line. */
function wrongSpan({ state, inputKey, position }: LineProps): readonly [number, number] {
  const { text, refusal } = inputOf(state, inputKey);
  if (refusal === undefined || refusal.line !== text) return [text.length, text.length];
  return refusal.span ?? [wrongFrom(text, position?.moves ?? []), text.length];
}

/** The layer below the input, letter for letter: the wrong token, the completion, the hint. */
export function InputLayer(
  props: LineProps & { readonly matches: readonly Suggestion[] },
): VNode | null {
  const { state, inputKey, board, position, matches } = props;
  const { text, pending } = inputOf(state, inputKey);
  if (isSecret(text)) return null;
  const [start, end] = wrongSpan(props);
  const hint = position && board?.hint?.(position);
  return (
    <div class="under" aria-hidden="true">
      <span>{text.slice(0, start)}</span>
      <span class="wrong">{text.slice(start, end)}</span>
      <span>{text.slice(end)}</span>
      <span class="ghost">{pending === undefined && ghostOf(text, matches)}</span>
      {hint !== undefined && <span class="hint">{hint}</span>}
    </div>
  );
}

export function keyPressed(event: KeyboardEvent, props: LineProps & Editing): void {
  // While a Japanese text is being composed, all keys belong to the input method.
  if (event.isComposing) return;
  const { state, emit, inputKey, matches: suggestions, chosen, back } = props;
  const { text } = inputOf(state, inputKey);
  const action = lineKey(event, { text, suggestions, chosen, back });
  if (action === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (action.type === "send") props.send();
  else if (action.type === "take") take(props, action.taken);
  else if (action.type === "choose") props.setChosen(action.at);
  else if (action.type === "shorten") emit({ type: "typed", inputKey, text: shortened(text) });
  else {
    const next = Math.min(Math.max(back + action.step, 0), state.past.length);
    props.setBack(next);
    emit({ type: "typed", inputKey, text: next === 0 ? "" : (state.past.at(-next) ?? "") });
  }
}
