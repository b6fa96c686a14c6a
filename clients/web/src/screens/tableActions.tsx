// The tools of the table: each types its line. What ends or takes something waits to be sent.

import type { VNode } from "preact";
import { Icon, type IconName } from "../board/index.ts";
import { inputOf } from "../state/lineInput.ts";
import { tableOf } from "../state/selectors.ts";
import type { Item } from "../state/state.ts";
import { Papers } from "./downloadButtons.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

type DeskProps = ViewProps & {
  readonly desk: string;
  /** Whether there is a board, which could be shown as text. */
  readonly drawn: boolean;
  readonly votes: boolean;
};

/** Commands that end or take something: a click types them, and no more. */
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

/** Whether the table allows hints, and it is our move. */
function mayAskHint(state: DeskProps["state"], desk: string): boolean {
  const room = state.session.mirror.rooms[desk];
  if (room === undefined) return false;
  const { options, rated, turn } = tableOf(room);
  const allowed = (options.hints ?? "off") !== "off" && !rated;
  return allowed && turn.some((seat) => room.eyes.includes(seat));
}

/** The few that stand in the row, those that are offered now. */
function Row({ state, emit, desk, drawn, votes }: DeskProps): VNode {
  const words = stringsOf(state);
  const { catalogue, panel, asText, undo } = inputOf(state, desk);
  const back = state.replays[desk] !== undefined;
  const tools: readonly Tool[] = [
    { command: "start", icon: "play", label: words.startGame },
    { command: "undo", icon: "undo", label: undo?.asks ? words.undoAsks : words.undo },
    ...(mayAskHint(state, desk)
      ? [{ command: "hint", icon: "hint", label: words.hint } as const]
      : []),
    { command: "moves", icon: "list", label: words.moves },
    { command: "invite", icon: "link", label: words.invite },
    { command: "rules", icon: "book", label: words.rules },
    ...(votes ? [{ command: "votes", icon: "vote", label: words.votes } as const] : []),
  ];
  const offered = tools.filter((tool) => catalogue.some((item) => item.name === tool.command));
  return (
    <div class="tools" role="toolbar" aria-label={words.table} id="tools">
      {offered.map((tool) => (
        <button
          key={tool.command}
          type="button"
          class="btn"
          disabled={tool.command === "undo" && undo?.can === false}
          onClick={() => emit({ type: "said", inputKey: desk, text: `/${tool.command}` })}
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
          onClick={() => emit({ type: "as_text", inputKey: desk, asText: !asText })}
        >
          <Icon name="eye" size={16} />
          {asText ? words.asDrawing : words.asText}
        </button>
      )}
      {drawn && (
        <button
          type="button"
          class="btn"
          aria-pressed={back}
          onClick={() => emit({ type: "looked_back", inputKey: desk, on: !back })}
        >
          <Icon name="clock" size={16} />
          {words.lookBack}
        </button>
      )}
      <button
        type="button"
        class="btn"
        aria-label={words.more}
        aria-expanded={panel === "more"}
        onClick={() => emit({ type: "panel", inputKey: desk, panel: "more" })}
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

/** Everything that can be typed here, with its help. */
function Everything({ state, emit, desk }: Pick<DeskProps, "state" | "emit" | "desk">): VNode {
  const words = stringsOf(state);
  const { catalogue } = inputOf(state, desk);
  const choose = (item: Item): void => {
    const more = wantsMore(item);
    emit({ type: "panel", inputKey: desk, panel: "none" });
    if (more)
      emit({
        type: "typed",
        inputKey: desk,
        text: GRAVE.has(item.name) ? `/${item.name}` : `/${item.name} `,
      });
    else emit({ type: "said", inputKey: desk, text: `/${item.name}` });
  };
  return (
    <section class="everything" aria-label={words.everything}>
      {state.session.mirror.rooms[desk]?.view.game !== undefined && (
        <div class="doors">
          <Papers state={state} emit={emit} desk={desk} />
        </div>
      )}
      <ul>
        {catalogue.map((item) => (
          <li key={`${item.kind} ${item.name}`}>
            <button type="button" onClick={() => choose(item)}>
              <span class="mono">{item.usage}</span>
              <span>{item.help}</span>
              {GRAVE.has(item.name) && <small>{words.asksFirst}</small>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Tools(props: DeskProps): VNode {
  const { panel } = inputOf(props.state, props.desk);
  return (
    <>
      <Row {...props} />
      {panel === "more" && <Everything {...props} />}
    </>
  );
}
