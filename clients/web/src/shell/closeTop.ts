// Escape closes what lies on top, one thing a press. Native dialogs do so by themselves.

/** What closes what lies above the board, in the order of the page: the last one is on top. */
const CLOSERS =
  ".over header .btn, #tools [aria-expanded=true], .result header .btn, .log-opener[aria-expanded=true]";

/** Closes what is on top; false if nothing is open. */
export function closeTop(): boolean {
  const all = [...document.querySelectorAll<HTMLElement>(CLOSERS)];
  const top = all.findLast((each) => each.checkVisibility());
  top?.click();
  return top !== undefined;
}
