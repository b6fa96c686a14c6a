// What screen readers are given of a page: Chromium's accessibility tree.

import type { Page } from "playwright-core";

/** One node that a reader meets. */
interface Node {
  readonly role: string;
  readonly name: string;
  readonly is: Readonly<Record<string, unknown>>;
}

/** Controls to press, type into or choose from: each needs a name. */
const CONTROLS: ReadonlySet<string> = new Set([
  "button",
  "link",
  "textbox",
  "combobox",
  "checkbox",
  "radio",
  "slider",
  "spinbutton",
  "tab",
  "option",
  "switch",
]);

/** The tree in reading order. */
export async function read(page: Page): Promise<readonly Node[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Accessibility.enable");
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes
    .filter((node) => !node.ignored)
    .map((node) => ({
      role: String(node.role?.value ?? ""),
      name: String(node.name?.value ?? ""),
      is: Object.fromEntries((node.properties ?? []).map((each) => [each.name, each.value.value])),
    }));
}

export function named(nodes: readonly Node[], role: string): readonly string[] {
  return nodes.filter((node) => node.role === role).map((node) => node.name);
}

/** Controls without a name, and pictures without a description. */
export function riddles(nodes: readonly Node[]): readonly Node[] {
  return nodes.filter(
    ({ role, name }) => (CONTROLS.has(role) || role === "image") && name.trim() === "",
  );
}

/** Headings start at one and leave no level out. */
export function jumps(nodes: readonly Node[]): readonly string[] {
  const headings = nodes.filter((node) => node.role === "heading");
  const levels = headings.map((node) => Number(node.is.level));
  return headings
    .filter((_, at) => (levels[at] ?? 1) > (levels[at - 1] ?? 0) + 1)
    .map((node) => `${String(node.is.level)} ${node.name}`);
}
