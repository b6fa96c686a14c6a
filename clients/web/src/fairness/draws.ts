// The server's draws, computed again: an independent implementation of the server's chance, tested
// with the same vectors.

const DOMAIN = "bluebear-seed-1";
const UINT32_RANGE = 2 ** 32;

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes from hexadecimal digits. */
export function bytesOf(hex: string): Bytes {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

function hexOf(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The commitment shown before the game: the hash of the server's seed, both in hexadecimal digits.
 */
export async function commitment(seed: string): Promise<string> {
  const message = new Uint8Array([...new TextEncoder().encode(DOMAIN), ...bytesOf(seed)]);
  return hexOf(await crypto.subtle.digest("SHA-256", message));
}

async function keyed(key: Bytes): Promise<(message: Bytes) => Promise<ArrayBuffer>> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const made = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return (message) => crypto.subtle.sign("HMAC", made, message);
}

/** The key of a game's draws; `header` is the canonical JSON of the values fixed at the start. */
export async function chanceKey(seed: string, header: string): Promise<string> {
  const sign = await keyed(bytesOf(seed));
  return hexOf(await sign(new TextEncoder().encode(header)));
}

/** The draws of a key, one after the other; `counter` is the number of the last one. */
export class Draws {
  private uint32s: number[] = [];
  private block = 0;

  private constructor(
    private readonly sign: (message: Bytes) => Promise<ArrayBuffer>,
    private counter: bigint,
  ) {}

  static async of(key: string, counter: bigint): Promise<Draws> {
    return new Draws(await keyed(bytesOf(key)), counter);
  }

  private async nextUint32(): Promise<number> {
    if (this.uint32s.length === 0) {
      const message = new DataView(new ArrayBuffer(12));
      message.setBigUint64(0, this.counter);
      message.setUint32(8, this.block);
      this.block += 1;
      const stream = new DataView(await this.sign(new Uint8Array(message.buffer)));
      for (let at = 0; at < stream.byteLength; at += 4) this.uint32s.push(stream.getUint32(at));
    }
    return this.uint32s.shift() ?? 0;
  }

  private next(): void {
    this.counter += 1n;
    this.uint32s = [];
    this.block = 0;
  }

  /**
   * A number below `bound`. Values above its largest multiple are rejected, so that all are equally
   * likely.
   */
  private async below(bound: number): Promise<number> {
    const limit = UINT32_RANGE - (UINT32_RANGE % bound);
    for (;;) {
      const value = await this.nextUint32();
      if (value < limit) return value % bound;
    }
  }

  /** One draw: a number from 0 to bound - 1. */
  async pick(bound: number): Promise<number> {
    this.next();
    return this.below(bound);
  }

  /** One draw: a die from 1 to `sides`. */
  async die(sides: number): Promise<number> {
    return (await this.pick(sides)) + 1;
  }

  /** One draw: the index of one item, each as likely as its count. */
  async weighted(counts: readonly number[]): Promise<number> {
    let at = await this.pick(counts.reduce((sum, count) => sum + count, 0));
    return counts.findIndex((count) => {
      at -= count;
      return at < 0;
    });
  }

  /** One draw: the items in a random order. */
  async shuffle<T>(items: readonly T[]): Promise<T[]> {
    this.next();
    const made = [...items];
    for (let last = made.length - 1; last > 0; last -= 1) {
      const other = await this.below(last + 1);
      const moved = made[last] as T;
      made[last] = made[other] as T;
      made[other] = moved;
    }
    return made;
  }
}
