// The actions of the table: each types its line. Lines that end or take something wait to be sent.

import type { ComponentChildren, VNode } from "preact";
import { Icon, type IconName } from "../board/index.ts";
import { inputOf } from "../state/lineInput.ts";
import type { Item } from "../state/state.ts";
import { Downloads } from "./downloadButtons.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

export type ToolsProps = ViewProps & {
  readonly inputKey: string;
  /** Whether there is a board that could be shown as text. */
  readonly drawn: boolean;
  readonly votes: boolean;
};

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

interface Tool {
  readonly command: string;
  readonly icon: IconName;
  readonly label: string;
}

/** The few actions in the row that are available now. */
export function ToolRow(
  props: ToolsProps & { readonly id?: string; readonly children?: ComponentChildren },
): VNode {
  const { state, emit, inputKey, drawn, votes } = props;
  const strings = stringsOf(state);
  const { catalogue, panel, asText } = inputOf(state, inputKey);
  const back = state.replays[inputKey] !== undefined;
  const tools: readonly Tool[] = [
    { command: "start", icon: "play", label: strings.startGame },
    { command: "moves", icon: "list", label: strings.moves },
    { command: "invite", icon: "link", label: strings.invite },
    { command: "rules", icon: "book", label: strings.rules },
    ...(votes ? [{ command: "votes", icon: "vote", label: strings.votes } as const] : []),
  ];
  const offered = tools.filter((tool) => catalogue.some((item) => item.name === tool.command));
  return (
    <div class="tools" role="toolbar" aria-label={strings.table} id={props.id}>
      {offered.map((tool) => (
        <button
          key={tool.command}
          type="button"
          class="btn"
          onClick={() =>
            emit({ type: "line_chosen", inputKey: inputKey, text: `/${tool.command}` })
          }
        >
          <Icon name={tool.icon} size={16} />
          {tool.label}
        </button>
      ))}
      {drawn && (
        <button
          type="button"
          class="btn"
          aria-pressed={asText}
          onClick={() => emit({ type: "as_text", inputKey: inputKey, asText: !asText })}
        >
          <Icon name="eye" size={16} />
          {asText ? strings.asDrawing : strings.asText}
        </button>
      )}
      {drawn && (
        <button
          type="button"
          class="btn"
          aria-pressed={back}
          onClick={() => emit({ type: "replay_toggled", inputKey: inputKey, on: !back })}
        >
          <Icon name="clock" size={16} />
          {strings.lookBack}
        </button>
      )}
      {props.children}
      <button
        type="button"
        class="btn"
        aria-label={strings.more}
        aria-expanded={panel === "more"}
        onClick={() => emit({ type: "panel", inputKey: inputKey, panel: "more" })}
      >
        <Icon name="more" size={16} />
      </button>
    </div>
  );
}

function wantsMore(item: Item): boolean {
  if (GRAVE.has(item.name)) return true;
  const given = item.kind === "command" ? item.arguments : item.slots;
  return (given ?? []).length > 0;
}

/** All commands that can be typed here, with their help. */
function AllCommands({
  state,
  emit,
  inputKey,
}: Pick<ToolsProps, "state" | "emit" | "inputKey">): VNode {
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

export function TableActions(props: ToolsProps): VNode {
  const { panel } = inputOf(props.state, props.inputKey);
  return (
    <>
      <ToolRow {...props} id="tools" />
      {panel === "more" && <AllCommands {...props} />}
    </>
  );
}
