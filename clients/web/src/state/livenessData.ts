// What the state stores about whether the connection is alive.

/** The liveness of a connection. */
export interface Liveness {
  /** When the last frame was received, or the socket was opened. */
  readonly lastFrameAt: number;
  /** When the ping was sent that has no answer yet. */
  readonly pingedAt: number | undefined;
  /**
   * The browser reports that there is no network: the answer has as little time as if a line
   * waited.
   */
  readonly doubted: boolean;
  /** How long an answer may take while a line waits, in ms. */
  readonly patience: number;
}

/** How long an answer may take at first, while a line waits. */
export const PATIENCE_MS = 1_500;

export const INITIAL_LIVENESS: Liveness = {
  lastFrameAt: 0,
  pingedAt: undefined,
  doubted: false,
  patience: PATIENCE_MS,
};
