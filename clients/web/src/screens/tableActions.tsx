// The actions of the table: each types its line.

import type { VNode } from "preact";
import type { Board, Position } from "../board/contract.ts";
import { Icon, type IconName } from "../board/index.ts";
import type { RoomView } from "../sdk/mirror.ts";
import type { Event } from "../state/events.ts";
import { inputOf } from "../state/lineInput.ts";
import { lazy } from "./lazy.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

export interface ToolsProps extends ViewProps {
  readonly inputKey: string;
  readonly room: RoomView;
  readonly board: Board | undefined;
  readonly position: Position | undefined;
}

export const AllCommands = lazy(() =>
  import("./allCommands.tsx").then((loaded) => loaded.AllCommands),
);

/** The few actions in the row that are available now; a menu has the log, too. */
export function ToolRow(
  props: ToolsProps & { readonly id?: string; readonly inMenu?: boolean },
): VNode {
  const { state, emit, inputKey, board, position, inMenu } = props;
  const strings = stringsOf(state);
  // A board that could be shown as text.
  const drawn = position !== undefined && board?.query === undefined;
  const { catalogue, panel, asText } = inputOf(state, inputKey);
  const back = state.replays[inputKey] !== undefined;
  const tool = (
    icon: IconName,
    label: string,
    events: readonly Event[],
    pressed?: boolean,
  ): VNode => (
    <button
      type="button"
      class="btn"
      aria-pressed={pressed}
      onClick={() => {
        for (const event of events) emit(event);
      }}
    >
      <Icon name={icon} size={16} />
      {label}
    </button>
  );
  const command = (
    name: string,
    icon: IconName,
    label: string,
    events: readonly Event[] = [{ type: "line_chosen", inputKey, text: `/${name}` }],
  ): VNode | false => catalogue.some((item) => item.name === name) && tool(icon, label, events);
  const opened = { type: "opened", inputKey, opened: true } as const;
  return (
    <div class="tools" role="toolbar" aria-label={strings.table} id={props.id}>
      {command("start", "play", strings.startGame)}
      {/* The answer is in the log. */}
      {command("moves", "list", strings.moves, [
        { type: "line_chosen", inputKey, text: "/moves" },
        opened,
      ])}
      {command("kick", "link", strings.invite, [{ type: "panel", inputKey, panel: "invite" }])}
      {command("rules", "book", strings.rules, [{ type: "panel", inputKey, panel: "rules " }])}
      {drawn && (
        <>
          {tool(
            "eye",
            asText ? strings.asDrawing : strings.asText,
            [{ type: "as_text", inputKey, asText: !asText }],
            asText,
          )}
          {tool("clock", strings.lookBack, [{ type: "replay_toggled", inputKey, on: !back }], back)}
        </>
      )}
      {inMenu && tool("up", strings.openLog, [opened])}
      <button
        type="button"
        class="btn"
        aria-label={strings.more}
        aria-expanded={panel === "more"}
        onClick={() => emit({ type: "panel", inputKey, panel: "more" })}
      >
        <Icon name="more" size={16} />
        {inMenu && strings.more}
      </button>
    </div>
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
