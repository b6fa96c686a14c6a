// The one voice for screen readers: what happens within a second is said as one announcement.

const SPACING_MS = 1000;
/** More at once would flood; the log has all of it. */
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
    // The same words again are read again only if the text differs.
    this.#odd = !this.#odd;
    this.#region.textContent = this.#odd ? text : `${text}\u00a0`;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#waiting.length > 0) this.#speak();
    }, SPACING_MS);
  }
}
