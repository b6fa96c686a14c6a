// A proxy that can lose all bytes silently, and both ends stay open; or bring them late.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, beforeEach } from "vitest";
import type { House } from "./house.ts";

export class DeafProxy {
  url = "";
  /** How late all bytes are, from now on, in ms. */
  late = 0;
  /** Whether bytes are swallowed from now on, on old and new connections. */
  #dead = false;
  readonly #live = new Set<Socket>();
  readonly #all = new Set<Socket>();
  readonly #server = createServer((socket) => this.#accept(socket));
  #port = 0;

  /** Listen in front of the server at an address. */
  async start(target: string): Promise<void> {
    this.#port = Number(new URL(target).port);
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on all bytes are swallowed. */
  die(): void {
    this.#dead = true;
    this.#live.clear();
  }

  /** New connections work again; the old ones stay dead. */
  revive(): void {
    this.#dead = false;
  }

  close(): void {
    for (const socket of this.#all) socket.destroy();
    this.#server.close();
  }

  #accept(client: Socket): void {
    const server = connect(this.#port, "127.0.0.1");
    if (!this.#dead) this.#live.add(client);
    this.#joined(client, server, client);
    this.#joined(server, client, client);
  }

  #joined(from: Socket, to: Socket, key: Socket): void {
    this.#all.add(from);
    from.setNoDelay(true);
    from.on("data", (data) => {
      const pass = (): void => {
        if (this.#live.has(key)) to.write(data);
      };
      if (this.late > 0) setTimeout(pass, this.late);
      else pass();
    });
    from.on("error", () => from.destroy());
    from.on("close", () => {
      this.#all.delete(from);
      if (this.#live.has(key)) to.destroy();
    });
  }
}

/** For each test of a suite a proxy in front of its server. */
export function eachBehindProxy(house: House, use: (proxy: DeafProxy) => void): void {
  let proxy: DeafProxy;
  beforeEach(async () => {
    proxy = new DeafProxy();
    await proxy.start(house.url);
    use(proxy);
  });
  afterEach(async () => {
    await house.empty();
    proxy.close();
    house.errors.length = 0; // the browser logs each connection that fails
  });
}
