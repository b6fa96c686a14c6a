// How the pages of people request the data of `/stats`, `/top` and `/friends`.

import { useEffect } from "preact/hooks";
import type { Answers } from "../protocol/answers.gen.ts";
import { isBranch } from "../sdk/tree.ts";
import type { ViewProps } from "./viewProps.ts";

/** The newest data of a query, or why there are none. */
export interface Queried<T> {
  readonly data: T | undefined;
  readonly refused: string | undefined;
}

/** Requests the data of a query, and again when one of `when` changes; no text: none. */
export function useQuery<K extends keyof Answers>(
  { state, emit }: ViewProps,
  text: `/${K}${string}` | "",
  ...when: readonly unknown[]
): Queried<Answers[K]> {
  const { welcomed } = state.session;
  useEffect(() => {
    if (!welcomed || text === "") return;
    emit({ type: "requested", key: text, what: "query", args: { text }, again: true });
  }, [welcomed, text, state.settings.lang, ...when]);
  const request = state.requests[text];
  const data = request?.body?.data;
  return {
    data: isBranch(data) ? (data as Answers[K]) : undefined,
    refused: request?.is === "refused" ? request.text : undefined,
  };
}
