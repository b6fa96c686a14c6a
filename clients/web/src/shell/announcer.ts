// The live region for screen readers: the texts of one second are read as one announcement.

const SPACING_MS = 1000;
/** More at a time would flood the reader; the log contains all of it. */
const SENTENCES_MAX = 4;

export class Announcer {
  readonly #region: HTMLElement;
  #waiting: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #odd = false;

  constructor(region: HTMLElement) {
    this.#region = region;
  }

  say(text: string): void {
    this.#waiting.push(text);
    this.#timer ??= setTimeout(() => this.#speak(), SPACING_MS / 4);
  }

  #speak(): void {
    const text = this.#waiting.slice(-SENTENCES_MAX).join(" ");
    this.#waiting = [];
    // An equal text is read again only if it differs from the previous one.
    this.#odd = !this.#odd;
    this.#region.textContent = this.#odd ? text : `${text}\u00a0`;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#waiting.length > 0) this.#speak();
    }, SPACING_MS);
  }
}
