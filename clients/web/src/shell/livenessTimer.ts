// When to look whether the connection lives.

const EVERY_MS = 250;
/** So much later than it should: the machine slept, or the page was busy. */
const LATE_MS = 1_000;
/** Then what has come meanwhile is to be heard first. */
const SETTLE_MS = 250;

/** Look again and again, from now on. */
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
