// Checksums of views: CRC-32 of the canonical text, as defined in `docs/protocol.md` (section 4).

import type { Tree } from "./tree.ts";
import { isBranch } from "./tree.ts";

const TABLE = (() => {
  const table = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) {
      value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    }
    table[byte] = value;
  }
  return table;
})();

const UTF8 = new TextEncoder();
const ASCII = /^[ -~]*$/;

/** Order by code point; JavaScript's own order is by UTF-16 unit. */
function byCodePoint(a: string, b: string): number {
  const left = Array.from(a, (each) => each.codePointAt(0) ?? 0);
  const right = Array.from(b, (each) => each.codePointAt(0) ?? 0);
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const order = (left[at] ?? 0) - (right[at] ?? 0);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/**
 * The canonical text of a tree: keys sorted by code point, no spaces, only the escapes that JSON
 * requires.
 */
export function canonical(tree: Tree): string {
  if (Array.isArray(tree)) return `[${tree.map(canonical).join(",")}]`;
  if (!isBranch(tree)) return JSON.stringify(tree);
  const keys = Object.keys(tree);
  if (keys.every((key) => ASCII.test(key))) keys.sort();
  else keys.sort(byCodePoint);
  const parts = keys.map((key) => `${JSON.stringify(key)}:${canonical(tree[key] ?? null)}`);
  return `{${parts.join(",")}}`;
}

/** CRC-32 of bytes, as in zlib and PNG. */
export function crcOfBytes(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (TABLE[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

/** The checksum of a tree. */
export function crc(tree: Tree): number {
  return crcOfBytes(UTF8.encode(canonical(tree)));
}
