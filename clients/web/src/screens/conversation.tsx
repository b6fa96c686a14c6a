// What is beside the board, apart from the line: tools, result, log and votes. Loaded once the room
// is drawn.

import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../board/index.ts";
import { inputOf } from "../state/lineInput.ts";
import { bodyOf, coachTip, shownHint, tableOf } from "../state/selectors.ts";
import { Guarded } from "./boundary.tsx";
import { Panel, Rules } from "./dialogs.tsx";
import { lazy, useModule } from "./lazy.tsx";
import { Log } from "./log.tsx";
import { turnsOf } from "./logTurns.tsx";
import { AllCommands, TableActions, ToolRow, type ToolsProps } from "./tableActions.tsx";
import { stringsOf } from "./viewProps.ts";
import "../style/talk.css";

const Result = lazy(() => import("./result.tsx").then((loaded) => loaded.Result));
const TableMenu = lazy(() => import("./tableMenu.tsx").then((loaded) => loaded.TableMenu));
const Votes = lazy(() => import("./votes.tsx").then((loaded) => loaded.Votes));

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

/** The menu of the table, in windows that have no space for its tools. */
export function Menu(props: ToolsProps): VNode {
  return (
    <TableMenu {...props}>
      <ToolRow {...props} inMenu />
    </TableMenu>
  );
}

export function Conversation(props: ToolsProps): VNode {
  const { state, emit, room, position, inputKey } = props;
  const strings = stringsOf(state);
  const input = inputOf(state, inputKey);
  const table = tableOf(room);
  const guard = { state, emit, of: room };
  const tip = table.lesson ? undefined : coachTip(state, input);
  const coach = useModule(emit, !!tip, () => import("./coach.tsx"));
  usePrefetched();
  // A result that is read stays there when another person prepares the next game.
  const over = useRef<ToolsProps | undefined>(undefined);
  if (table.ending) over.current = props;
  else if (table.phase !== "open") over.current = undefined;
  return (
    <>
      <Guarded {...guard} name="tools">
        <TableActions {...props} />
      </Guarded>
      <Guarded {...guard} name="result">
        {over.current && (
          <Result {...over.current} state={state} emit={emit} next={!table.ending} />
        )}
      </Guarded>
      <Guarded {...guard} name="coach">
        {tip && coach && (
          <coach.Tip
            key={tip.key}
            {...props}
            tip={tip}
            position={shownHint(input) ? undefined : position}
          />
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
            onClick={() => emit({ type: "opened", inputKey, opened: !input.opened })}
          >
            <Icon name={input.opened ? "down" : "up"} />
          </button>
        </Log>
      </Guarded>
      <Guarded {...guard} name="votes">
        {Object.keys(table.votes).length > 0 && <Votes {...props} />}
      </Guarded>
    </>
  );
}
