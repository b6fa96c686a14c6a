// What the state holds about whether the connection is alive.

/** What is known of the life of a connection. */
export interface Liveness {
  /** When the last frame came, or the socket was opened. */
  readonly lastFrameAt: number;
  /** When a sign of life was asked for that has not come yet. */
  readonly pingedAt: number | undefined;
  /** The browser says that there is no network: the answer is waited for as if a line waited. */
  readonly doubted: boolean;
  /** How long an answer may take while a line waits. */
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
