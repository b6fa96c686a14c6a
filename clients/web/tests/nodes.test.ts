// Where a client goes with its token when a room is at another node.

import { expect, it } from "vitest";
import type { ServerMessage } from "../src/protocol/messages.ts";
import { type Link, Nodes } from "../src/shell/nodes.ts";
import { WELCOME } from "./visit.ts";

const HOME = "wss://home.example/n/a/ws";

/** The addresses that are opened when a room is said to be at `url`; and whether all was lost. */
function follow(url: string): readonly [opened: readonly string[], lost: boolean] {
  const links: Link[] = [];
  let lost = false;
  const nodes = new Nodes({
    open: (address) => {
      const link: Link = { url: address, welcomed: false, numbers: new Map() };
      links.push(link);
      return link;
    },
    send: () => {},
    close: () => {},
    frame: () => {},
    lost: () => {
      lost = true;
    },
    freshId: () => "n1",
  });
  nodes.connect(HOME);
  const [main] = links as [Link];
  const named = ["/n/a/ws", "/n/b/ws", "wss://other.example/ws"];
  const messages: readonly ServerMessage[] = [
    { ...WELCOME, nodes: named } as ServerMessage,
    { type: "moved", name: "12", url, id: "x1" },
  ];
  nodes.send([{ type: "hello", name: "Ayu", langs: ["en"] }]);
  nodes.send([{ type: "say", id: "x1", text: "/room 12" }]);
  for (const message of messages) nodes.received(main, message);
  return [links.slice(1).map((link) => link.url), lost];
}

it.each([
  ["/n/b/ws", "wss://home.example/n/b/ws"],
  ["wss://other.example/ws", "wss://other.example/ws"],
])("a room at %s, which the server has named, is followed", (url, address) => {
  expect(follow(url)).toEqual([[address], false]);
});

it.each([["wss://stranger.example/ws"], ["ws://home.example/n/b/ws"]])(
  "a token does not go to %s",
  (url) => {
    expect(follow(url)).toEqual([[], true]);
  },
);
