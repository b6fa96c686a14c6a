// The actions of the table: each types its line.

import type { ComponentChildren, VNode } from "preact";
import type { Board, Position } from "../board/contract.ts";
import { Icon, type IconName } from "../board/index.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { tableOf } from "../state/selectors.ts";
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

interface Tool {
  readonly command: string;
  readonly icon: IconName;
  readonly label: string;
}

export function hasVotes(room: RoomView): boolean {
  return Object.keys(tableOf(room).votes).length > 0;
}

/** The few actions in the row that are available now. */
export function ToolRow(
  props: ToolsProps & { readonly id?: string; readonly children?: ComponentChildren },
): VNode {
  const { state, emit, inputKey, room, board, position } = props;
  const strings = stringsOf(state);
  // A board that could be shown as text.
  const drawn = position !== undefined && board?.query === undefined;
  const { catalogue, panel, asText } = inputOf(state, inputKey);
  const back = state.replays[inputKey] !== undefined;
  const tools: readonly Tool[] = [
    { command: "start", icon: "play", label: strings.startGame },
    { command: "moves", icon: "list", label: strings.moves },
    { command: "invite", icon: "link", label: strings.invite },
    { command: "rules", icon: "book", label: strings.rules },
    ...(hasVotes(room) ? [{ command: "votes", icon: "vote", label: strings.votes } as const] : []),
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
            emit(
              tool.command === "rules"
                ? { type: "panel", inputKey, panel: "rules " }
                : { type: "line_chosen", inputKey: inputKey, text: `/${tool.command}` },
            )
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

export function TableActions(props: ToolsProps): VNode {
  const { panel } = inputOf(props.state, props.inputKey);
  return (
    <>
      <ToolRow {...props} id="tools" />
      {panel === "more" && <AllCommands {...props} />}
    </>
  );
}
