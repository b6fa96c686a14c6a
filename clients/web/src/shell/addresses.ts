// Where a client may connect: to the address that was typed, and to those that the server names.

export class Addresses {
  /** Other addresses, by the newest welcome of the main connection. */
  #named: readonly string[] = [];
  /** The address that was lost last, until anything succeeds. */
  failed = "";
  /** Those to try before any is tried again. */
  #untried: readonly string[] = [];

  /** The next address to try: the one that was lost comes last. */
  next(home: string): string {
    const isLost = (url: string) => Number(url === this.failed);
    const all = () => [home, ...this.#named].sort((a, b) => isLost(a) - isLost(b));
    const [url = home, ...untried] = this.#untried.length > 0 ? this.#untried : all();
    this.#untried = untried;
    return url;
  }

  /** The main connection is welcome, and the server names its nodes. */
  remember(urls: readonly string[]): void {
    this.#named = urls;
    this.#untried = [];
  }

  /** Whether a token may go to an address: of the same host, or one that the server has named. */
  isSafe(url: URL, from: string): boolean {
    const hosts = [from, ...this.#named].map((each) => new URL(each).host);
    return isSecure(url, from) && hosts.includes(url.host);
  }
}

/** The addresses that a welcome names, without those that would send a token in the clear. */
export function resolved(nodes: readonly string[], from: string): readonly string[] {
  const urls = nodes.map((each) => new URL(each, from));
  return urls.filter((each) => isSecure(each, from)).map((each) => each.href);
}

function isSecure(url: URL, from: string): boolean {
  return url.protocol === "wss:" || (url.protocol === "ws:" && from.startsWith("ws:"));
}
