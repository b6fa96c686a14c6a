// The log of a room by turns.

import type { VNode } from "preact";
import type { GameBody } from "../board/contract.ts";
import { localizedHint } from "../line/valueNames.ts";
import type { Lang } from "../protocol/terms.ts";
import { isNew } from "../state/selectors.ts";
import type { LogLine } from "../state/state.ts";
import { type EntryProps, Mark, SingleLine } from "./log.tsx";
import { type Action, blockKey, blocksOf, type LogBlock, nameFirst } from "./logBlocks.ts";
import "../style/turns.css";

/** What a seat did, and in grey what follows from it; sentences about others have their mark. */
function ActionText({
  action,
  seat,
  table,
}: Pick<EntryProps, "table"> & {
  readonly action: Action;
  readonly seat: number | undefined;
}): VNode {
  return (
    <span class="action">
      {action.map((line, at) => {
        const other = seat === undefined || line.seat === seat ? undefined : line.seat;
        const [name, rest] = nameFirst(
          line.text,
          at > 0 ? undefined : table?.seats[seat ?? 0]?.name,
        );
        return (
          <span key={line.key}>
            {other !== undefined && <Mark seat={other} table={table} />}
            <b>{name}</b>
            {rest}{" "}
          </span>
        );
      })}
    </span>
  );
}

/** A turn: the seat's mark, and a paragraph for each of its actions. */
function Turn(props: EntryProps & { readonly block: LogBlock & { readonly kind: "turn" } }): VNode {
  const { block, table, moved } = props;
  const { seat, actions } = block;
  const last = actions.at(-1)?.at(-1);
  const fresh = last && isNew(last, moved) ? " new" : "";
  return (
    <p class={`log-line${fresh}${seat === undefined ? " system" : ""}`}>
      {seat !== undefined && <Mark seat={seat} table={table} />}
      {actions.map((action) => (
        <ActionText key={action[0]?.key} action={action} seat={seat} table={table} />
      ))}
    </p>
  );
}

/** A hint has its lines in words. */
function readableHint(line: LogLine, game: GameBody | undefined, lang: Lang): LogLine {
  if (line.code !== "hint" || game === undefined) return line;
  return { ...line, text: localizedHint(game.verbs, game.words, line.text, lang) };
}

/** The lines of a log by turns; `game` has the words of its lines. */
export function turnsOf(
  lines: readonly LogLine[],
  entry: EntryProps,
  game: GameBody | undefined,
): readonly VNode[] {
  const { lang } = entry.state.settings;
  return blocksOf(lines).map((block) => {
    const key = blockKey(block);
    if (block.kind === "turn") return <Turn key={key} {...entry} block={block} />;
    if (block.kind === "single") {
      return <SingleLine key={key} {...entry} line={readableHint(block.line, game, lang)} />;
    }
    return (
      <p key={key} class="log-line heading">
        {block.line.text}
      </p>
    );
  });
}
