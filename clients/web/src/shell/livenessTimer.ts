// The timer of the liveness check.

const EVERY_MS = 250;
/** A tick later than this: the machine slept, or the page was busy. */
const LATE_MS = 1_000;
/** Then frames received meanwhile are handled before the check. */
const SETTLE_MS = 250;

/** Start checking at a fixed interval. */
export function startLivenessTimer(look: () => void): void {
  let last = Date.now();
  setInterval(() => {
    const now = Date.now();
    const late = now - last > LATE_MS;
    last = now;
    if (late) setTimeout(look, SETTLE_MS);
    else look();
  }, EVERY_MS);
}
