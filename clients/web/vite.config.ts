import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The address of `src/kit.ts`; boards of packages import it by this name. */
const KIT = "kit/1.js";

// The gallery is a page of its own; it is built only on request, and never shipped.
export default defineConfig(({ mode }) => ({
  base: mode === "gallery" ? "./" : "/",
  publicDir: "public",
  build: {
    target: "es2022",
    outDir: mode === "gallery" ? "build/gallery" : "../../server/static",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    cssCodeSplit: true,
    // No data: addresses, so that the policy of the page can forbid them.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: mode === "gallery" ? "gallery.html" : { index: "index.html", kit: "src/kit.ts" },
      preserveEntrySignatures: "strict",
      output: {
        entryFileNames: ({ name }) => (name === "kit" ? KIT : "assets/[name]-[hash].js"),
        codeSplitting: { groups: [{ name: "page", tags: ["$initial"] }] },
      },
    },
  },
  server: { proxy: { "/ws": { target: "ws://127.0.0.1:8765", ws: true } } },
  // Pressing all places of all positions takes seconds on a busy machine.
  test: {
    include: ["tests/**/*.test.{ts,tsx}"],
    setupFiles: "tests/setup.ts",
    alias: { [`/${KIT}`]: fileURLToPath(new URL("src/kit.ts", import.meta.url)) },
    // Modules are loaded once for all files of a worker: no file replaces one.
    isolate: false,
    testTimeout: 60_000,
  },
}));
