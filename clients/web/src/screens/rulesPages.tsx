// The pages of the rules: each chapter's text, picture, meaning on this table, and paragraphs.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { chapterPictures } from "../board/chapterPictures.ts";
import { bothLanguages, type GameBody, type Lang, type RulePictures } from "../board/index.ts";
import type { Answers } from "../protocol/answers.gen.ts";
import { bodyOf } from "../state/selectors.ts";
import type { ViewProps } from "./viewProps.ts";
import "../style/rulesPages.css";

/** The rules with their contents. */
export type Book = Required<Answers["rules"]>;

/** The paragraphs of a chapter, with their numbers. */
export function paragraphsOf(book: Book, chapter: string): readonly (readonly [string, string])[] {
  return Object.entries(book.paragraphs).filter(([number]) => number.startsWith(`${chapter}.`));
}

export interface PagesProps extends ViewProps {
  readonly book: Book;
  readonly game: string;
  /** Marked where it stands. */
  readonly term: string;
  /** The chapter or paragraph in view. */
  readonly target: { readonly number: string; readonly focused: boolean };
}

const labelsOf = bothLanguages(
  {
    table: "On this table:",
    all: (count: number) => (count === 1 ? "The full paragraph" : `All ${count} paragraphs`),
  },
  { table: "この卓では:", all: (count: number) => `全${count}項目` },
);

/** A decision where the original text is open, with the other reading. */
const RULING = /\[((?:Ruling|裁定) [^\]]+)\]/;

/** A text with its `lines` set apart, and what was searched for marked. */
function marked(text: string, term: string): readonly (string | VNode)[] {
  return text
    .split("`")
    .flatMap((each, at) =>
      at % 2 ? [<code key={at}>{withTerm(each, term)}</code>] : withTerm(each, term),
    );
}

function withTerm(text: string, term: string): readonly (string | VNode)[] {
  const at = term ? text.toLowerCase().indexOf(term.toLowerCase()) : -1;
  if (at < 0) return [text];
  const end = at + term.length;
  return [
    text.slice(0, at),
    <mark key={at}>{text.slice(at, end)}</mark>,
    ...withTerm(text.slice(end), term),
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
    <p data-rule={number} tabIndex={-1}>
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
function usePictures(game: GameBody | undefined, lang: Lang): RulePictures | undefined {
  const [pictures, setPictures] = useState<RulePictures>();
  useEffect(() => {
    if (game !== undefined) chapterPictures(game, lang).then(setPictures, () => undefined);
  }, [game, lang]);
  return pictures;
}

export function RulesPages({ state, book, game, term, target }: PagesProps) {
  const { lang } = state.settings;
  const page = useRef<HTMLDivElement>(null);
  const pictures = usePictures(bodyOf(state, game), lang);
  const aimed = () => page.current?.querySelector<HTMLElement>(`[data-rule="${target.number}"]`);
  useEffect(() => {
    aimed()?.closest("details")?.setAttribute("open", "");
    if (target.focused) aimed()?.focus({ preventScroll: true });
  }, [target]);
  // The first pictures move what is in view.
  useEffect(() => aimed()?.scrollIntoView(), [target, !pictures]);
  // A chapter that was opened stays open.
  useEffect(() => {
    for (const mark of page.current?.querySelectorAll("details mark") ?? [])
      mark.closest("details")?.setAttribute("open", "");
  }, [term]);
  const labels = labelsOf(lang);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys.
    <div class="rules-page" ref={page} tabIndex={0}>
      {Object.entries(book.chapters).map(([chapter, title]) => {
        const listed = paragraphsOf(book, chapter).map(([number, text]) => (
          <Paragraph key={number} {...{ number, text, term }} />
        ));
        return (
          <section key={chapter}>
            <h3 data-rule={chapter} tabIndex={-1}>
              {chapter}. {marked(title, term)}
            </h3>
            {book.texts[chapter] && <p class="newcomers">{marked(book.texts[chapter], term)}</p>}
            {pictures?.[chapter] && (
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
            {book.table[chapter] && (
              <p class="table-now">
                <b>{labels.table}</b> {book.table[chapter]}
              </p>
            )}
            {book.texts[chapter] ? (
              <details>
                <summary>{labels.all(listed.length)}</summary>
                {listed}
              </details>
            ) : (
              listed
            )}
          </section>
        );
      })}
    </div>
  );
}
