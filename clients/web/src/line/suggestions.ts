// Suggestions beside a refusal: lines to click.

/** A refused line, the span of the error, and the candidates. */
export interface Refused {
  readonly line: string;
  readonly candidates: readonly string[];
  /** The span of the error, from and to, in UTF-16 units. */
  readonly span?: readonly [number, number] | undefined;
  readonly offers?: "line" | "word" | "range" | undefined;
}

/** The sentence of a refusal without its candidates and its rule, which the page shows in other ways. */
export function bareSentence(text: string, rule: string | undefined, perhaps: string): string {
  const [sentence = text] = text.split(` ${perhaps} `);
  return sentence.replace(` (${rule})`, "");
}

/**
 * The lines that a click on a candidate makes: a whole line, or the line with the wrong token
 * replaced.
 */
export function refusalSuggestions(
  refusal: Refused,
): readonly { readonly insertion: string; readonly text: string }[] {
  const { candidates, offers, span, line } = refusal;
  if (offers === "word" && span !== undefined && line !== "") {
    const [start, end] = span;
    return candidates.map((candidate) => ({
      insertion: candidate,
      text: `${line.slice(0, start)}${candidate}${line.slice(end)}`,
    }));
  }
  return candidates
    .filter((each) => each.startsWith("/"))
    .map((each) => ({ insertion: each, text: each }));
}
