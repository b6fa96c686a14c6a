// A name as an argument of a line.

/** A name of two words is quoted, so that it is one argument. */
export function quoted(name: string): string {
  return /\s/.test(name) ? `"${name}"` : name;
}
