// The rules as a book: contents and search; its pages come in a chunk of their own.

import { useEffect, useState } from "preact/hooks";
import { bothLanguages } from "../board/index.ts";
import { inputOf } from "../state/lineInput.ts";
import { lazy } from "./lazy.tsx";
import type { Book, PagesProps } from "./rulesPages.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/rulesBook.css";

const Pages = lazy<PagesProps>(() =>
  import("./rulesPages.tsx").then(({ RulesPages }) => RulesPages),
);

const labelsOf = bothLanguages(
  { search: "Search", count: (at: number, of: number) => (of ? `${at} of ${of}` : "nothing") },
  { search: "検索", count: (at: number, of: number) => (of ? `${at} / ${of}` : "なし") },
);

/** The numbers of chapters and paragraphs that have a term, in the order of the book. */
function matchesIn({ chapters, texts, paragraphs }: Book, term: string): readonly string[] {
  const all = Object.entries(chapters).flatMap(([chapter, title]) => [
    [chapter, `${title} ${texts[chapter]}`] as const,
    ...Object.entries(paragraphs).filter(([number]) => number.startsWith(`${chapter}.`)),
  ]);
  const wanted = term.toLowerCase();
  return all.filter(([, text]) => text.toLowerCase().includes(wanted)).map(([number]) => number);
}

export function RulesBook(props: ViewProps & { readonly inputKey: string }) {
  const { state, emit, inputKey } = props;
  const room = state.session.mirror.rooms[inputKey];
  const game = room?.game ?? "";
  const { lang } = state.settings;
  const key = `/rules ${inputKey}`;
  // What chapters mean on this table changes with the game.
  useEffect(
    () =>
      emit({
        type: "requested",
        key,
        what: "query",
        args: { text: "/rules" },
        room: room?.id,
        again: true,
      }),
    [key, lang, room?.version],
  );
  const [, rule = ""] = inputOf(state, inputKey).panel.split(" ");
  const [term, setTerm] = useState("");
  const [shown, setShown] = useState(0);
  const [target, setTarget] = useState({ number: rule, focused: true });
  const book = state.requests[key]?.body?.data as Book | undefined;
  if (book === undefined) return null;
  const labels = labelsOf(lang);
  const matches = term ? matchesIn(book, term) : [];
  return (
    <div class="rules-book">
      <nav aria-label={stringsOf(state).rules}>
        <img class="cover" src={`/covers/${game}.svg`} width={320} height={200} alt="" />
        {Object.entries(book.chapters).map(([number, title]) => (
          <button
            key={number}
            type="button"
            class="link"
            aria-current={number === target.number.split(".", 1)[0]}
            onClick={() => setTarget({ number, focused: true })}
          >
            <i>{number}</i> {title}
          </button>
        ))}
      </nav>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setTarget({ number: matches[shown % matches.length] ?? "", focused: false });
          setShown(shown + 1);
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
        <output>
          {term && labels.count(shown && ((shown - 1) % matches.length) + 1, matches.length)}
        </output>
      </form>
      <Pages {...{ state, emit, book, game, term, target }} />
    </div>
  );
}
