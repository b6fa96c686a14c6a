// The line: one input for talk, moves and commands, with suggestions and the refusal above it. A
// combobox of the ARIA pattern; the chips are its list.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Position } from "../board/contract.ts";
import { Icon } from "../board/index.ts";
import type { suggestions } from "../line/complete.ts";
import { type LineKey, lineKey, shortened } from "../line/lineKeys.ts";
import { ghostOf, nextValues, type Suggestion } from "../line/nextValues.ts";
import { wrongFrom } from "../line/parse.ts";
import { isSecret } from "../line/secretLines.ts";
import { inputOf } from "../state/lineInput.ts";
import { SLOW_MS } from "../state/lineSubmit.ts";
import { bodyOf } from "../state/selectors.ts";
import { lazy, useModule } from "./lazy.tsx";
import { QuickTools } from "./quickTools.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

const RefusalNote = lazy(() => import("./refusalNote.tsx").then((loaded) => loaded.RefusalNote));

/** More would hide the board on a phone; the others can be typed. */
const CHIPS_MAX = 24;

export interface LineProps extends ViewProps {
  readonly inputKey: string;
  readonly position: Position | undefined;
  readonly hint?: string | undefined;
  readonly chips?: readonly Suggestion[] | undefined;
}

/** The suggestions: the board's own chips, the next values of a move, or completion if it is loaded. */
function offered(
  props: LineProps,
  complete: typeof suggestions | undefined,
): readonly Suggestion[] {
  const { state, inputKey, position } = props;
  const { text, catalogue, pending } = inputOf(state, inputKey);
  if (pending !== undefined) return [];
  if (position?.draft.complete !== undefined) return [];
  if (text === "" || position?.draft.verb !== undefined) {
    const boardChips = props.chips ?? [];
    if (boardChips.length > 0) return boardChips;
    if (position !== undefined && position.moves.length > 0) {
      const { verbs, words: valueNames } = position.game;
      return nextValues(position.draft, position.moves, verbs, valueNames, state.settings.lang);
    }
  }
  const room = state.session.mirror.rooms[inputKey];
  const body = room === undefined ? undefined : bodyOf(state, room.game);
  if (complete === undefined) return [];
  return complete({
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

function Chips(props: {
  readonly label: string;
  readonly suggestions: readonly Suggestion[];
  readonly chosen: number;
  readonly onTake: (taken: Suggestion) => void;
}): VNode {
  return (
    <div class="chips" id="suggestions" role="listbox" aria-label={props.label}>
      {props.suggestions.map((each, at) => (
        <button
          key={each.text}
          id={`suggestion-${at}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={at === props.chosen}
          class={at === props.chosen ? "chip on" : "chip"}
          onClick={() => props.onTake(each)}
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
function InputLayer(props: LineProps & { readonly text: string; readonly ghost: string }): VNode {
  const { text, ghost, hint } = props;
  const [start, end] = wrongSpan(props);
  return (
    <div class="under" aria-hidden="true">
      <span>{text.slice(0, start)}</span>
      <span class="wrong">{text.slice(start, end)}</span>
      <span>{text.slice(end)}</span>
      <span class="ghost">{ghost}</span>
      {text !== "" && hint !== undefined && <span class="hint">{hint}</span>}
    </div>
  );
}

export function LineForm(props: LineProps): VNode {
  const { state, emit, inputKey, position } = props;
  const strings = stringsOf(state);
  const { text, pending, refusal } = inputOf(state, inputKey);
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState(-1);
  const [back, setBack] = useState(0);
  const [used, setUsed] = useState(false);
  const completion = useModule(used || text !== "", () => import("../line/complete.ts"));
  const matches = offered(props, completion?.suggestions).slice(0, CHIPS_MAX);
  const shown = Math.min(chosen, matches.length - 1);
  useEffect(() => setChosen(-1), [text]);
  const complete = position?.draft.complete;
  const ghost = pending === undefined ? ghostOf(text, matches) : "";
  const secret = isSecret(text);

  const send = (): void => {
    setBack(0);
    if (text.trim() !== "") emit({ type: "line_submitted", inputKey: inputKey });
  };
  const take = (taken: Suggestion): void => {
    emit({ type: "typed", inputKey: inputKey, text: taken.text });
    input.current?.focus();
  };
  const recall = (step: number): void => {
    const next = Math.min(Math.max(back + step, 0), state.past.length);
    setBack(next);
    emit({
      type: "typed",
      inputKey: inputKey,
      text: next === 0 ? "" : (state.past.at(-next) ?? ""),
    });
  };
  const carryOut = (action: LineKey): void => {
    switch (action.type) {
      case "send":
        return send();
      case "take":
        return take(action.taken);
      case "choose":
        return setChosen(action.at);
      case "recall":
        return recall(action.step);
      case "shorten":
        return emit({ type: "typed", inputKey: inputKey, text: shortened(text) });
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While a Japanese text is being composed, all keys belong to the input method.
    if (event.isComposing) return;
    const action = lineKey(event, { text, suggestions: matches, chosen: shown, back });
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    carryOut(action);
  };
  const slow = pending !== undefined && state.now - pending.since > SLOW_MS;
  return (
    <div class="line">
      {refusal !== undefined && refusal.target === undefined && (
        <RefusalNote {...props} refusal={refusal} />
      )}
      <div class="prompt">
        {matches.length > 0 && (
          <Chips label={strings.suggestions} suggestions={matches} chosen={shown} onTake={take} />
        )}
      </div>
      <form
        class="line-form"
        aria-label={strings.line}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <QuickTools state={state} emit={emit} inputKey={inputKey} />
        <div class={pending === undefined ? "box" : "box sent"}>
          <InputLayer {...props} text={secret ? "" : text} ghost={ghost} />
          <input
            ref={input}
            id="line"
            value={text}
            maxLength={500}
            placeholder={strings.typeLine}
            aria-label={strings.typeLine}
            role="combobox"
            aria-expanded={matches.length > 0}
            aria-controls="suggestions"
            aria-autocomplete="list"
            aria-activedescendant={shown >= 0 ? `suggestion-${shown}` : undefined}
            aria-invalid={refusal !== undefined && refusal.target === undefined}
            autocomplete="off"
            autocapitalize="off"
            autocorrect="off"
            spellcheck={false}
            enterkeyhint="send"
            onFocus={() => setUsed(true)}
            onInput={(event) =>
              emit({ type: "typed", inputKey: inputKey, text: event.currentTarget.value })
            }
            onKeyDown={onKeyDown}
          />
          {slow && <div class="slow" />}
        </div>
        <button
          type="submit"
          class={complete === undefined ? "btn act send" : "btn act send armed"}
          disabled={text.trim() === "" || text.trim() === pending?.text}
          aria-label={strings.send}
        >
          <Icon name="send" />
        </button>
      </form>
    </div>
  );
}
