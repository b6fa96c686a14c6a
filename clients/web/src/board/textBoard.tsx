// The server's text of a table: what is left of a board whose drawing is missing or broken.

import type { VNode } from "preact";
import { type BoardProps, bothLanguages, defineBoard } from "./index.ts";

const strings = bothLanguages({ table: "The table as text" }, { table: "文字の盤面" });

/** The query whose answer it shows. */
const TEXT = "/board";

function Drawing({ position }: BoardProps): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reached by keyboard
    <section class="board-text fit" aria-label={strings(position.lang).table} tabIndex={0}>
      <pre>{position.answers[TEXT]?.text}</pre>
    </section>
  );
}

export const textBoard = defineBoard({
  query: TEXT,
  Drawing,
  AsText: Drawing,
  press: () => undefined,
});
