// The line: one input for talk, moves and commands. A combobox of the ARIA pattern; the chips above it
// are its list. They, and what keys do, are loaded once it is drawn.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../board/index.ts";
import { inputOf } from "../state/lineInput.ts";
import { SLOW_MS } from "../state/lineSubmit.ts";
import { lazy, useModule } from "./lazy.tsx";
import type { LineProps } from "./lineAssist.tsx";
import { QuickTools } from "./quickTools.tsx";
import { stringsOf } from "./viewProps.ts";

const RefusalNote = lazy(() => import("./refusalNote.tsx").then((loaded) => loaded.RefusalNote));

export function LineForm(props: LineProps): VNode {
  const { state, emit, inputKey, position } = props;
  const strings = stringsOf(state);
  const { text, pending, refusal } = inputOf(state, inputKey);
  const noted = refusal?.target === undefined ? refusal : undefined;
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState(-1);
  const [back, setBack] = useState(0);
  const assist = useModule(emit, true, () => import("./lineAssist.tsx"));
  const matches = assist?.offered(props) ?? [];
  const shown = Math.min(chosen, matches.length - 1);
  useEffect(() => setChosen(-1), [text]);
  const complete = position?.draft.complete;

  const send = (): void => {
    setBack(0);
    emit({ type: "line_submitted", inputKey });
  };
  const keys = { ...props, matches, chosen: shown, back, input, setChosen, setBack, send };
  const slow = pending && state.now - pending.since > SLOW_MS;
  return (
    <div class="line">
      {noted && <RefusalNote {...props} refusal={noted} />}
      <div class="prompt">{assist && matches.length > 0 && <assist.Chips {...keys} />}</div>
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
          {assist && text !== "" && <assist.InputLayer {...props} matches={matches} />}
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
            aria-invalid={noted !== undefined}
            autocomplete="off"
            autocapitalize="off"
            autocorrect="off"
            spellcheck={false}
            enterkeyhint="send"
            onInput={(event) =>
              emit({ type: "typed", inputKey: inputKey, text: event.currentTarget.value })
            }
            onKeyDown={(event) => assist?.keyPressed(event, keys)}
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
