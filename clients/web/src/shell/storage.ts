// What the browser stores: settings, name and token permanently; history and half-typed lines for
// the tab.

import { isSecret } from "../line/secretLines.ts";
import type { Lang } from "../protocol/terms.ts";
import type { StorageKey } from "../state/events.ts";
import type { Settings, StoredState } from "../state/state.ts";

const PREFIX = "bluebear.";
const TAB_KEYS: ReadonlySet<StorageKey> = new Set(["past", "texts"]);

function storage(key: StorageKey): Storage {
  return TAB_KEYS.has(key) ? sessionStorage : localStorage;
}

function read(key: StorageKey): unknown {
  try {
    const text = storage(key).getItem(PREFIX + key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    // Private windows may have no storage; the page works without it.
    return undefined;
  }
}

/** Values that change with every letter are written after a pause, or when the page is closed. */
const DELAYED_KEYS: ReadonlySet<StorageKey> = new Set(["past", "texts"]);
const REST_MS = 300;
const waiting = new Map<StorageKey, unknown>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Write the delayed values. */
export function storeAll(): void {
  clearTimeout(timer);
  timer = undefined;
  for (const [key, value] of waiting) write(key, value);
  waiting.clear();
}

/** Store a value; undefined removes it. */
export function store(key: StorageKey, value: unknown): void {
  if (!DELAYED_KEYS.has(key)) return write(key, value);
  waiting.set(key, value);
  timer ??= setTimeout(storeAll, REST_MS);
}

function write(key: StorageKey, value: unknown): void {
  try {
    if (value === undefined) storage(key).removeItem(PREFIX + key);
    else storage(key).setItem(PREFIX + key, JSON.stringify(withoutSecrets(key, value)));
  } catch {
    // Full or forbidden: a game works without storage.
  }
}

/** A line with a password is never stored, not even half typed. */
function withoutSecrets(key: StorageKey, value: unknown): unknown {
  if (key !== "texts") return value;
  const texts = Object.entries(value as Readonly<Record<string, string>>);
  return Object.fromEntries(texts.filter(([, text]) => !isSecret(text)));
}

function preferred(): Lang {
  return navigator.language.toLowerCase().startsWith("ja") ? "ja" : "en";
}

function settings(stored: unknown): Settings {
  const given = (typeof stored === "object" && stored !== null ? stored : {}) as Partial<Settings>;
  return {
    lang: given.lang === "ja" || given.lang === "en" ? given.lang : preferred(),
    theme: given.theme ?? "system",
    sending: given.sending ?? "auto",
    sound: given.sound ?? true,
    notify: given.notify ?? false,
    letters: given.letters ?? true,
  };
}

/** The newest token: each resume replaces it, and all tabs of a browser are one person. */
export function newestToken(): string | undefined {
  const token = read("token");
  return typeof token === "string" ? token : undefined;
}

/** The values stored by an earlier visit. */
export function readStored(): StoredState {
  const name = read("name");
  const past = read("past");
  const texts = read("texts");
  return {
    settings: settings(read("settings")),
    token: newestToken(),
    name: typeof name === "string" ? name : "",
    past: Array.isArray(past) ? past.filter((line) => typeof line === "string") : [],
    texts: typeof texts === "object" && texts !== null ? (texts as Record<string, string>) : {},
  };
}
