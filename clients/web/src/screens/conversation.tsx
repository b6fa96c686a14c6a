// What is beside the board, apart from the line: tools, result, log and votes. Loaded once the room
// is drawn.

import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { Board, Position } from "../board/contract.ts";
import { Icon } from "../board/index.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { bodyOf, coachTip, shownHint, tableOf } from "../state/selectors.ts";
import { Guarded } from "./boundary.tsx";
import { Panel, Rules } from "./dialogs.tsx";
import { lazy, useModule } from "./lazy.tsx";
import { Log } from "./log.tsx";
import { turnsOf } from "./logTurns.tsx";
import { AllCommands, TableActions, ToolRow } from "./tableActions.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/talk.css";

const Result = lazy(() => import("./result.tsx").then((loaded) => loaded.Result));
const TableMenu = lazy(() => import("./tableMenu.tsx").then((loaded) => loaded.TableMenu));
const Votes = lazy(() => import("./votes.tsx").then((loaded) => loaded.Votes));

export interface ConversationProps extends ViewProps {
  readonly inputKey: string;
  readonly room: RoomView;
  readonly board: Board | undefined;
  readonly position: Position | undefined;
}

/** What a press opens is loaded before it, a while after the room. */
const PREFETCH_MS = 3000;

function usePrefetched(): void {
  useEffect(() => {
    const later = setTimeout(() => {
      for (const each of [Rules, Panel, AllCommands, TableMenu]) each.load().catch(() => undefined);
    }, PREFETCH_MS);
    return () => clearTimeout(later);
  }, []);
}

export function Conversation(props: ConversationProps): VNode {
  const { state, emit, room, board, position, inputKey } = props;
  const strings = stringsOf(state);
  const input = inputOf(state, inputKey);
  const table = tableOf(room);
  const guard = { state, emit, of: room };
  const tip = table.lesson === undefined ? coachTip(state, input) : undefined;
  const coach = useModule(tip !== undefined, () => import("./coach.tsx"));
  const votes = Object.keys(table.votes).length > 0;
  const drawn = position !== undefined && board?.query === undefined;
  const tools = { state, emit, inputKey, drawn, votes };
  const openLog = (opened: boolean) => emit({ type: "opened", inputKey, opened });
  usePrefetched();
  return (
    <>
      <Guarded {...guard} name="tools">
        <TableActions {...tools} />
      </Guarded>
      <Guarded {...guard} name="result">
        {table.ending && <Result {...props} />}
      </Guarded>
      <Guarded {...guard} name="coach">
        {tip && coach && (
          <coach.Tip {...props} tip={tip} position={shownHint(input) ? undefined : position} />
        )}
      </Guarded>
      <Guarded {...guard} name="log" of={input.log}>
        <Log
          {...props}
          table={table}
          draw={(lines, entry) => turnsOf(lines, entry, bodyOf(state, room.game))}
        >
          <button
            type="button"
            class="log-opener"
            aria-expanded={input.opened}
            aria-label={input.opened ? strings.closeLog : strings.openLog}
            onClick={() => openLog(!input.opened)}
          >
            <Icon name={input.opened ? "down" : "up"} />
          </button>
        </Log>
      </Guarded>
      <Guarded {...guard} name="votes">
        {votes && <Votes {...props} />}
      </Guarded>
      {input.panel === "menu" && (
        <TableMenu {...props}>
          <ToolRow {...tools}>
            <button type="button" class="btn" onClick={() => openLog(true)}>
              <Icon name="up" size={16} />
              {strings.openLog}
            </button>
          </ToolRow>
        </TableMenu>
      )}
    </>
  );
}
