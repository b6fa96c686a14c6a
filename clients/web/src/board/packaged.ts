// The board that a package brings: one module and its style sheets, which this server serves.

import type { Board } from "./contract.ts";

/** The addresses of boards on this server; no other is loaded. */
const ADDRESS = /^\/boards\/\w+\.[0-9a-f]+\.(?:js|css)$/;

/** Loads a style sheet once, after those of the page. */
function loadStyle(address: string): void {
  if (document.head.querySelector(`link[href="${address}"]`) !== null) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  document.head.append(link);
}

/** The board at one of the addresses. Throws where there is none, or where it does not load. */
export async function loadPackaged(addresses: readonly string[]): Promise<Board> {
  const served = addresses.filter((address) => ADDRESS.test(address));
  const script = served.find((address) => address.endsWith(".js"));
  if (script === undefined)
    throw new Error("the package has no board at an address of this server");
  for (const address of served) if (address !== script) loadStyle(address);
  const { board } = await import(/* @vite-ignore */ script);
  return board;
}
