// Both languages are there before any test: the page loads the one that it needs.

import { loadStrings } from "../src/strings/index.ts";

await Promise.all([loadStrings("en"), loadStrings("ja")]);
