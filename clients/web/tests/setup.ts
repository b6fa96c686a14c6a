// Both languages are there before any test: the page loads the one that it needs. There is no
// window: what listens to one as it is loaded hears nothing.

import { loadStrings } from "../src/strings/index.ts";

Object.assign(globalThis, { addEventListener: () => undefined });
await Promise.all([loadStrings("en"), loadStrings("ja")]);
