// A refusal beside the line, with lines to click instead; loaded with the first one.

import type { VNode } from "preact";
import { Icon } from "../board/index.ts";
import { bareSentence, refusalSuggestions } from "../line/suggestions.ts";
import { lineLabel } from "../line/valueNames.ts";
import { inputOf } from "../state/lineInput.ts";
import { bodyOf } from "../state/selectors.ts";
import type { Refusal } from "../state/state.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/refusalNote.css";

/** More would hide the board on a phone; the others can be typed. */
const CHIPS_MAX = 24;

/** A refusal of the server, with lines to click instead. */
export function RefusalNote({
  state,
  emit,
  inputKey,
  refusal,
}: ViewProps & { readonly inputKey: string; readonly refusal: Refusal }): VNode {
  const strings = stringsOf(state);
  const offered = refusalSuggestions(refusal);
  const rash = refusal.code === "rash";
  const room = state.session.mirror.rooms[inputKey];
  const body = room === undefined ? undefined : bodyOf(state, room.game);
  const { rule } = refusal;
  const text =
    offered.length > 0 ? bareSentence(refusal.text, rule, strings.perhaps) : refusal.text;
  return (
    <div class={rash ? "refusal rash" : "refusal"} role="alert">
      <button
        type="button"
        class="btn flat"
        aria-label={strings.close}
        onClick={() =>
          emit({ type: "typed", inputKey: inputKey, text: inputOf(state, inputKey).text })
        }
      >
        <Icon name="x" size={16} />
      </button>
      <p>
        <span class="warning" aria-hidden="true">
          ▲
        </span>{" "}
        <span class="vh">{strings.errorIn}: </span>
        {refusal.code === "stale" ? strings.stale : text}{" "}
        {rule !== undefined && (
          <button
            type="button"
            class="link"
            onClick={() => emit({ type: "panel", inputKey, panel: `rules ${rule}` })}
          >
            {strings.seeRule(rule)}
          </button>
        )}
      </p>
      {offered.length > 0 && (
        <div class="chips">
          {rash && <span>{strings.meanIt}</span>}
          {offered.slice(0, CHIPS_MAX).map(({ insertion, text }) => (
            <button
              key={insertion}
              type="button"
              class="chip"
              onClick={() =>
                emit({ type: rash ? "line_chosen" : "typed", inputKey: inputKey, text })
              }
            >
              {refusal.offers === "word"
                ? insertion
                : rash
                  ? // The sentence has the line in the reader's language.
                    refusal.text.split(strings.perhaps)[1]?.split("(")[0]
                  : lineLabel(body?.verbs ?? [], body?.words, text, state.settings.lang)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
