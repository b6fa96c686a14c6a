// The rules as a book: contents and search; its pages come in a chunk of their own.

import { useEffect, useRef, useState } from "preact/hooks";
import { bothLanguages } from "../board/index.ts";
import { inputOf } from "../state/lineInput.ts";
import { gameName, tableOf } from "../state/selectors.ts";
import { type Book, paragraphsOf, RulesPages } from "./rulesPages.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/rulesBook.css";

const labelsOf = bothLanguages(
  {
    of: (game: string) => `Rules of ${game}`,
    search: "Search",
    count: (at: number, of: number) =>
      at ? `${at} of ${of}` : of === 1 ? "1 place" : `${of} places`,
    lesson: "Lesson",
  },
  {
    of: (game: string) => `${game}のルール`,
    search: "検索",
    count: (at: number, of: number) => (at ? `${at} / ${of}` : `${of}か所`),
    lesson: "レッスン",
  },
);

/** A table may change many times a second: its sentences are requested at most this often. */
const PAUSE_MS = 3000;

/** The numbers of chapters and paragraphs that have a term, in the order of the book. */
function matchesIn(book: Book, term: string): readonly string[] {
  const all = Object.entries(book.chapters).flatMap(([chapter, title]) => [
    [chapter, `${title} ${book.texts[chapter]}`] as const,
    ...paragraphsOf(book, chapter),
  ]);
  const wanted = term.toLowerCase();
  return all.filter(([, text]) => text.toLowerCase().includes(wanted)).map(([number]) => number);
}

type BookProps = ViewProps & { readonly inputKey: string };

/** The book; of its table, which changes, the answer about any chapter tells. */
function useBook({ state, emit, inputKey }: BookProps): Book | undefined {
  const room = state.session.mirror.rooms[inputKey];
  const requested = useRef(0);
  const keyOf = (chapter: string) => `/rules ${inputKey} ${chapter}`;
  const answer = (chapter: string) => state.requests[keyOf(chapter)]?.body?.data as object;
  const book = answer("") as Book | undefined;
  const [chapter = ""] = Object.keys(book?.chapters ?? {});
  const key = keyOf(chapter);
  useEffect(() => {
    if (!state.visible) return;
    const timer = setTimeout(
      () => {
        requested.current = Date.now();
        const args = { text: `/rules ${chapter}` };
        emit({ type: "requested", key, what: "query", args, room: room?.id, again: true });
      },
      requested.current + PAUSE_MS - Date.now(),
    );
    return () => clearTimeout(timer);
  }, [key, state.settings.lang, room?.version, state.visible]);
  return book && { ...book, ...answer(chapter) };
}

export function RulesBook(props: BookProps) {
  const { state, emit, inputKey } = props;
  const room = state.session.mirror.rooms[inputKey];
  const game = room?.game ?? "";
  const [, rule = ""] = inputOf(state, inputKey).panel.split(" ");
  const [term, setTerm] = useState("");
  const [shown, setShown] = useState(0);
  const [target, setTarget] = useState({ number: rule, focused: true });
  const book = useBook(props);
  if (book === undefined) return null;
  const labels = labelsOf(state.settings.lang);
  const matches = term ? matchesIn(book, term) : [];
  const learns =
    room && !tableOf(room).lesson && state.games.some((each) => each.key === game && each.lessons);
  return (
    <div class="rules-book">
      <div class="head">
        <h2>{labels.of(gameName(state, game))}</h2>
        <form
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            // Not a number if there are no matches.
            const next = shown % matches.length;
            setTarget({ number: matches[next] ?? "", focused: false });
            setShown(next + 1 || 0);
          }}
        >
          <input
            type="search"
            aria-label={labels.search}
            placeholder={labels.search}
            value={term}
            onInput={(event) => {
              setTerm(event.currentTarget.value);
              setShown(0);
            }}
          />
          <output>{term && labels.count(shown, matches.length)}</output>
        </form>
        {learns && (
          <button
            type="button"
            class="btn"
            onClick={() => {
              emit({ type: "panel", inputKey, panel: "none" });
              emit({ type: "line_chosen", inputKey, text: `/learn ${game}` });
            }}
          >
            {labels.lesson}
          </button>
        )}
      </div>
      <nav aria-label={stringsOf(state).rules}>
        <img class="cover" src={`/covers/${game}.svg`} width={320} height={200} alt="" />
        {Object.entries(book.chapters).map(([number, title]) => (
          <button
            key={number}
            type="button"
            class="link"
            aria-current={number === target.number.split(".")[0]}
            onClick={() => setTarget({ number, focused: true })}
          >
            <i>{number}</i> {title}
          </button>
        ))}
      </nav>
      <RulesPages {...{ state, emit, book, game, term, target }} />
    </div>
  );
}
