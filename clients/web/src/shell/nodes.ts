// Connections to several nodes of a server, which the session above sees as one; without any I/O.
//
// A room may live on another node: its `moved` is followed here, by a connection beside the main
// one, or instead of it where that has nothing else to do. Numbers of rooms are translated, and what
// is unanswered is sent again under its id. A further connection that is lost gives its rooms back
// to the main one. If that is lost, all are: the session connects again, and enters its rooms.

import type { ClientMessage, Code, Hello, ServerMessage } from "../protocol/messages.gen.ts";
import { Addresses, resolved } from "./addresses.ts";
import {
  AGAIN_MOST_MS,
  AGAIN_MS,
  FOLLOWED_MS,
  FURTHER_MAX,
  type Link,
  OTHER_NODE_MS,
  QUIET_ROUNDS,
  ROUNDS_MAX,
  SLOW_MS,
  type Wires,
} from "./wires.ts";

type Request = Extract<ClientMessage, { id: string }>;
type Reply = Extract<ServerMessage, { type: "done" | "error" | "answer" }>;
type Moved = Extract<ServerMessage, { type: "moved" }>;

interface RoomPath {
  readonly name: string;
  link: Link;
  /** The number on its connection; undefined while the room is entered there. */
  here?: number | undefined;
}

/** Codes of the notes that end a membership. */
const LEFT: ReadonlySet<string> = new Set(["left", "kicked"]);

/** Refusals to enter a room that do not last. */
const NOT_JUST_NOW: ReadonlySet<string> = new Set(["busy", "not_saved", "too_fast"]);

const NOT_REACHED: Readonly<Record<Hello["langs"][number], (url: string) => string>> = {
  en: (url) => `The room is at ${url}, which does not answer.`,
  ja: (url) => `この部屋は ${url} にありますが、応答がありません。`,
};
const UNTIL_REACHED: Readonly<Record<Hello["langs"][number], string>> = {
  en: " It is tried until it does, or until you leave.",
  ja: "つながるまで試し続けます。",
};

export class Nodes {
  readonly #wires: Wires;
  readonly #links: Link[] = [];
  #main: Link | undefined;
  #hello: Hello | undefined;
  #numbers = 0;
  /** By the session's numbers. */
  readonly #paths = new Map<number, RoomPath>();
  /** Requests without a reply, with the connection that owes it. */
  readonly #pending = new Map<string, { readonly message: Request; link: Link }>();
  /** Our own lines that enter a room, by id. */
  readonly #entering = new Map<string, number>();
  /** What waits for the welcome of a connection. */
  readonly #todo = new Map<Link, (() => void)[]>();
  readonly #rounds = new Map<string, number>();
  /** Names of the rooms that one was in last. */
  readonly #joined = new Set<string>();
  readonly #addresses = new Addresses();
  readonly #pings = new Map<string, Set<Link>>();

  constructor(wires: Wires) {
    this.#wires = wires;
  }

  /** Connect to the first address, or to another one where that has failed. */
  connect(home: string): void {
    this.disconnect();
    this.#main = this.#open(this.#addresses.next(home));
  }

  /** Close all connections. */
  disconnect(): void {
    for (const link of this.#links.splice(0)) this.#wires.close(link);
    const ofRooms = [this.#paths, this.#entering, this.#rounds];
    for (const each of [...ofRooms, this.#pending, this.#todo, this.#pings]) each.clear();
    this.#main = undefined;
    this.#numbers = 0;
  }

  /** A connection is open: one beside the main one says hello by itself. */
  opened(link: Link): boolean {
    if (link === this.#main || this.#hello === undefined) return true;
    this.#wires.send(link, { ...this.#hello, beside: true });
    return false;
  }

  /** A connection has ended. */
  closed(link: Link): void {
    if (!this.#links.includes(link)) return;
    this.#addresses.failed = link.url;
    if (link === this.#main) this.#lose();
    else this.#giveBack(link);
  }

  /** Send messages of the session. */
  send(messages: readonly ClientMessage[]): void {
    for (const message of messages) this.#send(message);
  }

  /** A message of a connection. */
  received(link: Link, message: ServerMessage): void {
    if (!this.#links.includes(link)) return;
    if (message.type === "moved") this.#follow(link, message);
    else if (message.type === "welcome") this.#welcome(link, message);
    else if (link !== this.#main && !link.welcomed) this.closed(link);
    else this.#pass(link, message);
    this.#tidy(link);
  }

  #send(message: ClientMessage): void {
    const main = this.#main;
    if (main === undefined) return;
    if (message.type === "hello") {
      this.#hello = message;
      this.#wires.send(main, message);
    } else if (message.type === "ask" && message.what === "ping") {
      this.#pings.set(message.id, new Set(this.#links));
      for (const link of this.#links) this.#wires.send(link, message);
    } else if (message.type === "sync") {
      const path = this.#paths.get(message.room);
      if (path?.here !== undefined) this.#wires.send(path.link, { ...message, room: path.here });
    } else {
      const path = message.room == null ? undefined : this.#paths.get(message.room);
      this.#pending.set(message.id, { message, link: path?.link ?? main });
      this.#say(message);
    }
  }

  /** Send a request, if the way is open. */
  #say(message: Request): void {
    const link = this.#pending.get(message.id)?.link;
    if (link === undefined || !link.welcomed) return;
    if (message.room == null) this.#wires.send(link, message);
    else {
      const here = this.#paths.get(message.room)?.here;
      // A room that the session is not in any more has no number: the server says so.
      if (here !== undefined || !this.#paths.has(message.room))
        this.#wires.send(link, { ...message, room: here ?? message.room });
    }
  }

  #welcome(link: Link, message: Extract<ServerMessage, { type: "welcome" }>): void {
    link.welcomed = true;
    const nodes = resolved(message.nodes ?? [], link.url);
    link.url = nodes[0] ?? link.url;
    this.#addresses.failed = "";
    if (link === this.#main) {
      this.#addresses.remember(nodes);
      const { name: _, password: __, ...hello } = this.#hello as Hello;
      this.#hello = { ...hello, token: message.token };
      this.#wires.frame(message);
    }
    for (const act of this.#todo.get(link) ?? []) act();
    this.#todo.delete(link);
  }

  #follow(link: Link, message: Moved): void {
    const { name, id, room } = message;
    const logical = room == null ? this.#entering.get(id ?? "") : link.numbers.get(room);
    if (room != null && logical === undefined) return; // it was left meanwhile
    if (room != null) link.numbers.delete(room);
    this.#entering.delete(id ?? "");
    const url = new URL(message.url, link.url);
    if (!this.#addresses.isSafe(url, link.url)) return this.closed(link);
    const rounds = (this.#rounds.get(name) ?? 0) + 1;
    this.#rounds.set(name, rounds);
    const isNew = this.#links.every((each) => each.url !== url.href);
    const isFull = isNew && this.#links.length > FURTHER_MAX;
    if (isFull || (rounds > ROUNDS_MAX && !this.#joined.has(name)))
      this.#refuse(message, logical, url.href);
    else {
      if (rounds === QUIET_ROUNDS + 1) this.#report(logical, url.href);
      this.#goTo(url.href, message, logical);
    }
  }

  get #lang(): Hello["langs"][number] {
    return this.#hello?.langs[0] ?? "en";
  }

  /** Say that the node of a room is not reached, and is tried on. */
  #report(room: number | undefined, url: string): void {
    const text = `${NOT_REACHED[this.#lang](url)}${UNTIL_REACHED[this.#lang]}`;
    this.#wires.frame({ type: "note", code: "moved", text, ...(room && { room }) });
  }

  #refuse({ name, id }: Moved, logical: number | undefined, url: string): void {
    const text = NOT_REACHED[this.#lang](url);
    this.#rounds.delete(name);
    if (logical !== undefined) this.#leave(logical, text, "moved");
    else if (id != null && this.#pending.delete(id))
      this.#wires.frame({ type: "error", id, code: "moved", text });
  }

  /** A room cannot be entered any more: its lines are refused. */
  #leave(room: number, text: string, code: Code): void {
    const name = this.#paths.get(room)?.name;
    this.#paths.delete(room);
    this.#joined.delete(name ?? "");
    for (const [id, { message }] of [...this.#pending])
      if (message.room === room && this.#pending.delete(id))
        this.#wires.frame({ type: "error", id, code, text });
    this.#wires.frame({ type: "note", room, code: "left", text });
  }

  #goTo(url: string, { name, id }: Moved, logical: number | undefined): void {
    const late = (this.#rounds.get(name) ?? 0) - QUIET_ROUNDS;
    const first = late > 0 || url === this.#addresses.failed ? AGAIN_MS : 0;
    const wait = Math.min(first * 2 ** Math.max(0, late), AGAIN_MOST_MS);
    const target = this.#links.find((each) => each.url === url) ?? this.#open(url, wait);
    const pause = (this.#rounds.get(name) ?? 0) > ROUNDS_MAX && target.welcomed ? SLOW_MS : 0;
    const request = id == null ? undefined : this.#pending.get(id);
    if (request !== undefined) request.link = target;
    if (logical !== undefined) this.#paths.set(logical, { name, link: target });
    for (const each of this.#pending.values())
      if (logical !== undefined && each.message.room === logical) each.link = target;
    const go = () => {
      if (request !== undefined) this.#say(request.message);
      else this.#enter(target, name, logical);
    };
    if (pause > 0) this.#wires.later(go, pause);
    else this.#when(target, go);
  }

  /** The rooms and requests of a further connection that is lost go back to the main one. */
  #giveBack(link: Link): void {
    const main = this.#main as Link;
    this.#drop(link);
    this.#todo.delete(link);
    const rooms = [...this.#paths].filter(([, path]) => path.link === link);
    const owed = [...this.#pending.values()].filter((each) => each.link === link);
    for (const [number, { name }] of rooms) this.#paths.set(number, { name, link: main });
    for (const each of owed) each.link = main;
    this.#wires.later(() => {
      for (const [number, { name }] of rooms) this.#enter(main, name, number);
      for (const { message } of owed) if (message.room == null) this.#say(message);
    }, OTHER_NODE_MS);
  }

  #open(url: string, pauseMs = 0): Link {
    const link = this.#wires.open(url, pauseMs);
    this.#links.push(link);
    if (link !== this.#main && this.#main !== undefined)
      this.#wires.later(() => link.welcomed || this.closed(link), pauseMs + FOLLOWED_MS);
    return link;
  }

  #when(link: Link, act: () => void): void {
    if (link.welcomed) act();
    else this.#todo.set(link, [...(this.#todo.get(link) ?? []), act]);
  }

  #enter(link: Link, name: string, logical?: number, id = this.#wires.freshId()): void {
    const number = logical ?? ++this.#numbers;
    if (logical === undefined) this.#paths.set(number, { name, link });
    const path = this.#paths.get(number);
    if (path?.link !== link || path.here !== undefined) return; // it was moved or lost meanwhile
    this.#entering.set(id, number);
    this.#wires.send(link, { type: "say", id, text: `/room ${name}` });
  }

  /** Pass a message on to the session, in its numbers. */
  #pass(link: Link, message: ServerMessage): void {
    if (message.type === "done" || message.type === "error" || message.type === "answer") {
      if (this.#isForSession(link, message)) this.#passReply(link, message);
    } else if (!("room" in message) || typeof message.room !== "number") {
      // What is for the person, and for who is in the lobby, comes by the main connection.
      const further = link !== this.#main && !this.#owes(link);
      const twice = message.type === "lobby" || message.type === "note";
      if (!(further && twice)) this.#wires.frame(message);
    } else {
      this.#passToRoom(link, message, message.room);
    }
  }

  #isForSession(link: Link, message: Reply): boolean {
    const id = message.id ?? "";
    const room = this.#entering.get(id);
    if (room === undefined) {
      const answers = id === "" || this.#answers(link, id);
      if (message.type !== "error" || message.code !== "too_fast") return answers;
      // What was sent after that line was not read either, also where its room has moved since.
      for (const [again, number] of this.#entering) this.#enterLater(link, number, again);
      return true;
    }
    const path = this.#paths.get(room);
    this.#entering.delete(id);
    if (path?.link !== link) return false; // it was given back
    if (message.type !== "error") this.#entered(room);
    else if (!NOT_JUST_NOW.has(message.code)) this.#leave(room, message.text, "not_in_room");
    else this.#enterLater(link, room, id);
    return false;
  }

  #enterLater(link: Link, room: number, id: string): void {
    const name = this.#paths.get(room)?.name ?? "";
    this.#wires.later(() => this.#enter(link, name, room, id), SLOW_MS);
  }

  #passReply(link: Link, message: Reply): void {
    const here = message.type === "done" ? message.room : undefined;
    const room = here == null ? undefined : link.numbers.get(here);
    this.#wires.frame(room === undefined ? message : ({ ...message, room } as ServerMessage));
  }

  #passToRoom(link: Link, message: ServerMessage, here: number): void {
    if (message.type === "room") this.#path(link, here, message.id);
    if (message.type === "update" && message.done != null) this.#answers(link, message.done);
    const room = link.numbers.get(here);
    if (room === undefined) return;
    if (message.type === "note" && LEFT.has(message.code)) {
      link.numbers.delete(here);
      this.#joined.delete(this.#paths.get(room)?.name ?? "");
      this.#paths.delete(room);
    }
    this.#wires.frame({ ...message, room } as ServerMessage);
  }

  /** Whether a reply is due from this connection; a late one of another is void. */
  #answers(link: Link, id: string): boolean {
    const pings = this.#pings.get(id);
    if (pings !== undefined) {
      pings.delete(link);
      const silent = this.#links.some((each) => pings.has(each));
      if (!silent) this.#pings.delete(id);
      return !silent;
    }
    const pending = this.#pending.get(id);
    if (pending !== undefined && pending.link !== link) return false;
    const path = this.#paths.get(pending?.message.room ?? 0);
    if (path !== undefined && path.here === undefined) return false; // sent before the room moved
    this.#pending.delete(id);
    return true;
  }

  #path(link: Link, here: number, name: string): void {
    const earlier = [...this.#paths].find(([, each]) => each.link === link && each.name === name);
    const number = link.numbers.get(here) ?? earlier?.[0] ?? ++this.#numbers;
    link.numbers.set(here, number);
    this.#paths.set(number, { name, link, here });
    this.#rounds.delete(name);
    this.#addresses.failed = "";
    this.#joined.add(name);
  }

  #entered(number: number): void {
    for (const { message } of [...this.#pending.values()])
      if (message.room === number) this.#say(message);
  }

  #owes(link: Link): boolean {
    return [...this.#pending.values()].some((each) => each.link === link);
  }

  /** Close a connection that is of no use any more. */
  #tidy(link: Link): void {
    const main = this.#main;
    if (main === undefined) return;
    const idle = (each: Link) =>
      ![...this.#paths.values()].some((path) => path.link === each) && !this.#owes(each);
    if (link !== main && link.welcomed && idle(link)) this.#drop(link);
    else if (link !== main && link.welcomed && idle(main)) {
      this.#main = link;
      this.#drop(main);
    }
  }

  #drop(link: Link): void {
    this.#links.splice(this.#links.indexOf(link), 1);
    this.#wires.close(link);
  }

  #lose(): void {
    this.disconnect();
    this.#wires.lost();
  }
}
