// All commands of a table with their help. Lines that end or take something wait to be sent.

import type { VNode } from "preact";
import type { Item } from "../protocol/answers.gen.ts";
import { inputOf } from "../state/lineInput.ts";
import { Downloads } from "./downloadButtons.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/allCommands.css";

/** Commands that end or take something: a click types them without sending. */
const GRAVE: ReadonlySet<string> = new Set([
  "resign",
  "masterreset",
  "reset",
  "leave",
  "kick",
  "ban",
  "startnosave",
  "pause",
  "lobby",
]);

function wantsMore(item: Item): boolean {
  if (GRAVE.has(item.name)) return true;
  const given = item.kind === "command" ? item.arguments : item.slots;
  return (given ?? []).length > 0;
}

/** All commands that can be typed here, with their help. */
export function AllCommands({
  state,
  emit,
  inputKey,
}: ViewProps & { readonly inputKey: string }): VNode {
  const strings = stringsOf(state);
  const { catalogue } = inputOf(state, inputKey);
  const choose = (item: Item): void => {
    const more = wantsMore(item);
    emit({ type: "panel", inputKey: inputKey, panel: "none" });
    if (more)
      emit({
        type: "typed",
        inputKey: inputKey,
        text: GRAVE.has(item.name) ? `/${item.name}` : `/${item.name} `,
      });
    else emit({ type: "line_chosen", inputKey: inputKey, text: `/${item.name}` });
  };
  return (
    <section class="everything" aria-label={strings.everything}>
      {state.session.mirror.rooms[inputKey]?.view.game !== undefined && (
        <div class="doors">
          <Downloads state={state} emit={emit} inputKey={inputKey} />
        </div>
      )}
      <ul>
        {catalogue.map((item) => (
          <li key={`${item.kind} ${item.name}`}>
            <button type="button" onClick={() => choose(item)}>
              <span class="mono">{item.usage}</span>
              <span>{item.help}</span>
              {GRAVE.has(item.name) && <small>{strings.asksFirst}</small>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
