// The findings of axe on a page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Report {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** All that axe finds on the page or in an element, best practices included. */
export async function findings(page: Page, within = "html"): Promise<readonly string[]> {
  // Through the debugger: the page's own policy forbids any other script.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const options = JSON.stringify({ resultTypes: ["violations"], selectors: false });
  // What is not painted has no contrast: a bare page is opaque meanwhile.
  const report = (await page.evaluate(`(async () => {
    const sheets = [...document.adoptedStyleSheets];
    document.adoptedStyleSheets = [];
    try {
      return await axe.run(${JSON.stringify(within)}, ${options});
    } finally {
      document.adoptedStyleSheets = sheets;
    }
  })()`)) as Report;
  return report.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`,
  );
}
