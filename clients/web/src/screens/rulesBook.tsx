// The rules as a book: contents, search, and all paragraphs with the decisions of this project.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { bothLanguages, type GameBody, type Lang, type RulePictures } from "../board/index.ts";
import { boardOf } from "../board/registry.ts";
import { inputOf } from "../state/lineInput.ts";
import { bodyOf } from "../state/selectors.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/rulesBook.css";

/** The answer to `/rules GAME`: titles and texts by their numbers, in the reader's language. */
interface Book {
  readonly chapters: Readonly<Record<string, string>>;
  readonly paragraphs: Readonly<Record<string, string>>;
}

const labelsOf = bothLanguages(
  { search: "Search", count: (at: number, of: number) => (of ? `${at} of ${of}` : "nothing") },
  { search: "検索", count: (at: number, of: number) => (of ? `${at} / ${of}` : "なし") },
);

/** A decision where the original text is open, with the other reading. */
const RULING = /\[((?:Ruling|裁定) [^\]]+)\]/;

function isIn(text: string, term: string): boolean {
  return term !== "" && text.toLowerCase().includes(term.toLowerCase());
}

/** A text with what was searched for marked. */
function marked(text: string, term: string): readonly (string | VNode)[] {
  const at = isIn(text, term) ? text.toLowerCase().indexOf(term.toLowerCase()) : -1;
  if (at < 0) return [text];
  const end = at + term.length;
  return [
    text.slice(0, at),
    <mark key={at}>{text.slice(at, end)}</mark>,
    ...marked(text.slice(end), term),
  ];
}

function Paragraph(props: {
  readonly number: string;
  readonly text: string;
  readonly term: string;
}) {
  const { number, text, term } = props;
  const [rule = "", ...rulings] = text.split(RULING);
  return (
    <p data-rule={number}>
      <b>{number}</b> {marked(rule, term)}
      {rulings
        .filter((each) => each.trim())
        .map((each) => (
          <small key={each}>{marked(each, term)}</small>
        ))}
    </p>
  );
}

/** The pictures of a game's rules; none until they are loaded, and where the game has none. */
function usePictures(game: GameBody | undefined, lang: Lang): RulePictures {
  const [pictures, setPictures] = useState<RulePictures>({});
  useEffect(() => {
    if (game === undefined) return;
    boardOf(game.key, game.board, lang)
      .then((board) => board.pictures?.())
      .then((module) => setPictures(module?.picturesIn(lang, game) ?? {}))
      .catch(() => undefined);
  }, [game, lang]);
  return pictures;
}

export function RulesBook({ state, emit, inputKey }: ViewProps & { readonly inputKey: string }) {
  const game = state.session.mirror.rooms[inputKey]?.game ?? "";
  const { lang } = state.settings;
  const key = `/rules ${game}`;
  useEffect(
    () => emit({ type: "requested", key, what: "query", args: { text: key } }),
    [key, lang],
  );
  const [, rule] = inputOf(state, inputKey).panel.split(" ");
  const [term, setTerm] = useState("");
  const [shown, setShown] = useState(0);
  const page = useRef<HTMLDivElement>(null);
  const pictures = usePictures(bodyOf(state, game), lang);
  const book = state.requests[key]?.body?.data as Book | undefined;
  const paragraphs = Object.entries(book?.paragraphs ?? {});
  const matches = paragraphs.filter(([, text]) => isIn(text, term)).map(([number]) => number);
  const goTo = (number: string | undefined): void =>
    page.current?.querySelector(`[data-rule="${number}"]`)?.scrollIntoView();
  useEffect(() => goTo(rule), [book, rule]);
  if (book === undefined) return null;
  const labels = labelsOf(lang);
  return (
    <div class="rules-book">
      <nav aria-label={stringsOf(state).rules}>
        <img class="cover" src={`/covers/${game}.svg`} width={320} height={200} alt="" />
        {Object.entries(book.chapters).map(([number, title]) => (
          <button key={number} type="button" class="link" onClick={() => goTo(number)}>
            {number}. {title}
          </button>
        ))}
      </nav>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          goTo(matches[shown % matches.length]);
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys. */}
      <div class="rules-page" ref={page} tabIndex={0}>
        {Object.entries(book.chapters).map(([chapter, title]) => (
          <section key={chapter}>
            <h3 data-rule={chapter}>
              {chapter}. {title}
            </h3>
            {pictures[chapter] && (
              <ul class={`pictures board-${game}`}>
                {pictures[chapter].map(({ name, box, drawing }) => (
                  <li key={name}>
                    <svg viewBox={box} aria-hidden="true">
                      {drawing}
                    </svg>
                    {name}
                  </li>
                ))}
              </ul>
            )}
            {paragraphs
              .filter(([number]) => number.startsWith(`${chapter}.`))
              .map(([number, text]) => (
                <Paragraph key={number} number={number} text={text} term={term} />
              ))}
          </section>
        ))}
      </div>
    </div>
  );
}
