// After the build: each file of the page also packed, once, as well as can be.
// `node pack.mjs FOLDER`. Pictures and tiny files gain nothing.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const LEAST_BYTES = 400;
const [folder = "../../server/static"] = process.argv.slice(2);

for (const name of readdirSync(folder, { recursive: true })) {
  if (!/\.(html|js|css|svg|json|webmanifest)$/.test(name)) continue;
  const path = join(folder, name);
  const body = readFileSync(path);
  if (body.length < LEAST_BYTES) continue;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  writeFileSync(`${path}.br`, brotliCompressSync(body, { params }));
  writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
}
