// After the build: stores each file of the page compressed as well, as small as possible. `node
// pack.mjs FOLDER`. Pictures and tiny files gain nothing.

import { readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const LEAST_BYTES = 400;

/** The bytes of a file as the server sends them to a browser that takes brotli. */
export function brotli(body) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  return brotliCompressSync(body, { params });
}

function packAll(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(html|js|css|svg|json|webmanifest)$/.test(name)) continue;
    const path = join(folder, name);
    const body = readFileSync(path);
    if (body.length < LEAST_BYTES) continue;
    writeFileSync(`${path}.br`, brotli(body));
    writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
  }
}

if (realpathSync(process.argv[1] ?? ".") === fileURLToPath(import.meta.url)) {
  packAll(process.argv[2] ?? "../../server/static");
}
