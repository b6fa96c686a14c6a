// The log: turns, talk, notes, sent lines. It follows its end, unless the reader has scrolled up.

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { COLOURED_SEATS, SeatMark, Still } from "../board/index.ts";
import type { Table } from "../protocol/table.gen.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { readableLines } from "../state/logLines.ts";
import { seatNamed } from "../state/selectors.ts";
import { LOBBY, type LogLine } from "../state/state.ts";
import { stringFor } from "../strings/index.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** Within this distance of the end the reader has not scrolled away. */
const NEAR_PIXELS = 60;

/** The number of newest lines that are drawn, and of older lines added on each request. */
const LINES_DRAWN = 80;

/** The gaps or frames of tables and drawings, which need a monospaced font. */
const TABULAR = /\S {2,}\S|[\u2500-\u257f]/;

const LINK = /(https?:\/\/\S+)/;

/** A text in which addresses are links. */
function Linked({ text }: { readonly text: string }): VNode {
  const parts = text.split(LINK);
  return (
    <>
      {parts.map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          <a key={part} href={part} target="_blank" rel="noopener">
            {part}
          </a>
        ),
      )}
    </>
  );
}

function Note({ state, emit, line }: ViewProps & { readonly line: LogLine }): VNode {
  const strings = stringsOf(state);
  const link = LINK.exec(line.text)?.[0];
  const invitation = line.code === "invited" ? line.sent : undefined;
  return (
    <div class="log-line note">
      <pre class={TABULAR.test(line.text) ? "mono" : ""}>{line.text}</pre>
      {link !== undefined && (
        <button type="button" class="btn" onClick={() => emit({ type: "copied", text: link })}>
          {strings.copy}
        </button>
      )}
      {invitation !== undefined && (
        <button
          type="button"
          class="btn"
          onClick={() => emit({ type: "line_chosen", inputKey: LOBBY, text: invitation })}
        >
          {strings.enter}
        </button>
      )}
    </div>
  );
}

function Talk({ state, line, table }: EntryProps & { readonly line: LogLine }): VNode {
  const { channels } = stringsOf(state);
  const seat = table === undefined ? undefined : seatNamed(table, line.name ?? "");
  return (
    <p class="log-line talk">
      {seat !== undefined && <Mark seat={seat} table={table} />}
      <b>
        <bdi>{line.name}</bdi>
      </b>{" "}
      <small>{stringFor<string>(channels, line.code ?? "")} </small>
      <Linked text={line.text} />
    </p>
  );
}

export type EntryProps = ViewProps & { readonly table: Table | undefined; readonly moved: number };

export function Mark({
  seat,
  table,
}: Pick<EntryProps, "table"> & { readonly seat: number }): VNode {
  const seats = Object.keys(table?.seats ?? {}).length;
  return <SeatMark seat={seat} size={16} text="" many={seats > COLOURED_SEATS} />;
}

/** One line of a log, by itself. */
export function SingleLine(props: EntryProps & { readonly line: LogLine }): VNode {
  const { line } = props;
  if (line.kind === "note") return <Note {...props} />;
  if (line.kind === "sent") return <p class="log-line mine mono">&gt; {line.text}</p>;
  if (line.kind === "talk") return <Talk {...props} />;
  return <p class="log-line system">{line.text}</p>;
}

export function Log(
  props: ViewProps & {
    readonly inputKey: string;
    readonly room?: RoomView | undefined;
    readonly table?: Table | undefined;
    /** Draws the lines in another way than one by one. */
    readonly draw?: (lines: readonly LogLine[], entry: EntryProps) => readonly VNode[];
    /** Shown beside the log. */
    readonly children?: ComponentChildren;
  },
): VNode {
  const { state, emit, inputKey, table, draw } = props;
  const strings = stringsOf(state);
  const { log: lines, moved } = inputOf(state, inputKey);
  const following = useRef(true);
  const read = useRef<readonly LogLine[]>([]);
  const log = useMemo(() => readableLines(lines, following.current ? [] : read.current), [lines]);
  const box = useRef<HTMLDivElement>(null);
  const [unread, setUnread] = useState(0);
  const [older, setOlder] = useState(0);
  const top = useRef(0);
  const newest = log.at(-1)?.key;
  const toEnd = (): void => box.current?.scrollTo(0, box.current.scrollHeight);
  useLayoutEffect(() => {
    const more = Math.max(0, log.length - read.current.length);
    read.current = log;
    if (following.current) {
      toEnd();
      setOlder(0);
    } else {
      // Lines being read stay drawn, however many lines follow.
      setUnread((before) => before + more);
      setOlder((before) => before + more);
    }
  }, [newest]);
  const belowTop = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (belowTop.current === undefined) return;
    box.current?.scrollTo(0, box.current.scrollHeight - belowTop.current);
    belowTop.current = undefined;
  }, [older]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    // An element that opens below the log makes it shorter; its end must stay visible.
    const observer = new ResizeObserver(() => {
      if (following.current) toEnd();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const entry: EntryProps = { state, emit, table, moved };
  const drawn = log.slice(-(LINES_DRAWN + older));
  const drawOlder = (): void => {
    const element = box.current;
    if (!element) return;
    following.current = false;
    belowTop.current = element.scrollHeight - element.scrollTop;
    setOlder(older + LINES_DRAWN);
    // The button may disappear together with the last of them.
    element.focus();
  };
  return (
    <div class="log-frame">
      <section
        ref={box}
        class="log"
        role="log"
        aria-live="off"
        aria-label={strings.log}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reached by keyboard
        tabIndex={0}
        onScroll={(event) => {
          const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
          const near = scrollHeight - scrollTop - clientHeight < NEAR_PIXELS;
          // Moved off the end by a resize, not by the reader: keep following.
          if (near) {
            following.current = true;
            setUnread(0);
          } else if (scrollTop < top.current) following.current = false;
          top.current = scrollTop;
        }}
      >
        {drawn.length < log.length && (
          <button type="button" class="btn older" onClick={drawOlder}>
            {strings.olderLines(log.length - drawn.length)}
          </button>
        )}
        <Still of={[log, drawn.length, moved, table?.seats, state.settings.lang, emit]}>
          {() =>
            draw === undefined
              ? drawn.map((line) => <SingleLine key={line.key} {...entry} line={line} />)
              : draw(drawn, entry)
          }
        </Still>
      </section>
      {unread > 0 && (
        <button type="button" class="chip on to-end" onClick={toEnd}>
          {strings.newLines(unread)}
        </button>
      )}
      {props.children}
    </div>
  );
}
