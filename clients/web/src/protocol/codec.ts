// Frames of `bluebear.v1.json`. The page uses JSON: browsers have it built in, and an update is so
// small that msgpack would save less than its decoder weighs.

import type { ClientMessage, ServerMessage } from "./messages.gen.ts";

export const SUBPROTOCOL = "bluebear.v1.json";

/** Encodes a message as a frame; absent fields are left out. */
export function encode(message: ClientMessage): string {
  return JSON.stringify(message);
}

/** Decodes a frame; null if it is not a message of this protocol. */
export function decode(frame: string): ServerMessage | null {
  let message: unknown;
  try {
    message = JSON.parse(frame);
  } catch {
    return null;
  }
  if (typeof message !== "object" || message === null || !("type" in message)) return null;
  return message as ServerMessage;
}
