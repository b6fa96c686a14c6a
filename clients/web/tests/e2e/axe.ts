// The findings of axe on a page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Report {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** The findings that axe calls serious or critical, on the page or in an element. */
export async function serious(page: Page, within = "html"): Promise<readonly string[]> {
  // Through the debugger: the page's own policy forbids any other script.
  await page.evaluate(AXE);
  const report = (await page.evaluate(`axe.run(${JSON.stringify(within)})`)) as Report;
  return report.violations
    .filter((each) => each.impact === "serious" || each.impact === "critical")
    .map((each) => `${each.id}: ${each.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
}
