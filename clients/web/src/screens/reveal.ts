// Brings what a lesson rings into view: a card of a tray, a place of a map.

/** A map may move by itself with the turn that a step begins: it is looked at after that. */
const SETTLED_MS = 400;

/** Whether something lies over the middle of a place, or the place out of the window of its map. */
function isCovered(each: Element): boolean {
  const { left, top, width, height } = each.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  return above?.closest("[data-place]") !== each.closest("[data-place]");
}

/** `marked` selects what is ringed. A tray scrolls where it has no space for all cards. */
export function reveal(marked: string): void {
  const card = document.querySelector(`.tray-place :is(${marked})`);
  card?.scrollIntoView({ block: "nearest", inline: "nearest" });
  setTimeout(() => {
    const covered = [...document.querySelectorAll(`.panzoom :is(${marked})`)].find(isCovered);
    covered?.dispatchEvent(new Event("reveal", { bubbles: true }));
    // The rings follow what has moved.
    if (covered) requestAnimationFrame(() => dispatchEvent(new Event("scroll")));
  }, SETTLED_MS);
}
