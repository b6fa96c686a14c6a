// The phrases of a board: a data file for each language, `phrases.en.json` and `phrases.ja.json`. One
// is loaded with the board, the other one when the page changes its language.
//
// A sentence has numbered parameters: "Ride to {0} on the {1}" is `rideTo(point, line)`. A parameter
// with two forms, "{0} {0|step|steps}", gives the form for one or for any other number.

import type { Lang } from "./contract.ts";

type Table = Readonly<Record<string, string>>;
type Sentence = (...parts: readonly (string | number)[]) => string;

export interface PhraseData {
  readonly texts: Table;
  readonly sentences: Table;
  readonly names?: Readonly<Record<string, Table>>;
  /** What the button does that sends the line: see `VerbLabels`. */
  readonly verbs: Readonly<Record<string, readonly string[]>>;
}

type Strings<Data extends PhraseData> = Readonly<
  Record<keyof Data["texts"], string> & Record<keyof Data["sentences"], Sentence>
>;

const PARAMETER = /\{(\d)(?:\|([^|}]*)\|([^}]*))?\}/g;

function sentenceOf(form: string): Sentence {
  return (...parts) =>
    form.replace(PARAMETER, (_, at: string, one?: string, many?: string) => {
      const value = parts[Number(at)] ?? "";
      return one === undefined ? `${value}` : `${value === 1 ? one : many}`;
    });
}

function stringsOf<Data extends PhraseData>({ texts, sentences }: Data): Strings<Data> {
  const entries = Object.entries(sentences).map(([key, form]) => [key, sentenceOf(form)]);
  return { ...texts, ...Object.fromEntries(entries) };
}

function readBook<Data extends PhraseData>({ default: data }: { readonly default: Data }) {
  return [data, stringsOf(data)] as const;
}

/** The phrases of a board by language; of the other language, until the wanted one is loaded. */
export function phraseBook<Data extends PhraseData>(
  files: Readonly<Record<Lang, () => Promise<{ readonly default: Data }>>>,
) {
  const books: Partial<Record<Lang, readonly [Data, Strings<Data>]>> = {};
  const bookIn = (lang: Lang): readonly [Data, Strings<Data>] => {
    const book = books[lang] ?? books.en ?? books.ja;
    if (book === undefined) throw new Error("phrases not loaded");
    return book;
  };
  return {
    /** Loads a language; all of them without one. */
    load: async (wanted?: Lang): Promise<void> => {
      for (const lang of wanted === undefined ? (["en", "ja"] as const) : [wanted]) {
        books[lang] ??= readBook(await files[lang]());
      }
    },
    strings: (lang: Lang): Strings<Data> => bookIn(lang)[1],
    verbs: (lang: Lang): PhraseData["verbs"] => bookIn(lang)[0].verbs,
    /** The names of a table; a value without a name is its own name. */
    names:
      (table: keyof NonNullable<Data["names"]> & string) =>
      (key: string | number, lang: Lang): string =>
        bookIn(lang)[0].names?.[table]?.[key] ?? `${key}`,
  };
}
