// Open votes: a card over the line, never over the board.

import type { VNode } from "preact";
import type { Vote } from "../protocol/table.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { serverNow, tableOf, votesForMe } from "../state/selectors.ts";
import type { LogLine } from "../state/state.ts";
import { clockText, stringFor } from "../strings/index.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** The server's own sentence about a vote, as long as the log has it. */
function sentenceOf(log: readonly LogLine[], number: string): string | undefined {
  const opened = log.findLast(
    ({ event }) =>
      event?.event === "vote_opened" && "number" in event && event.number === Number(number),
  );
  return opened?.text;
}

/** What a vote is about; a kind that only a later server has is told in the server's words. */
function asked(
  props: ViewProps & { readonly room: RoomView; readonly desk: string },
  number: string,
  vote: Vote,
): string {
  const { state, room, desk } = props;
  const words = stringsOf(state);
  const about = vote.seat === undefined ? "" : (tableOf(room).seats[vote.seat]?.name ?? "");
  const known = stringFor<(name: string, about: string) => string>(words.voteKind, vote.kind);
  return (
    known?.(vote.by, about) ??
    sentenceOf(inputOf(state, desk).log, number) ??
    words.someVote(vote.by)
  );
}

function Card(
  props: ViewProps & {
    readonly room: RoomView;
    readonly desk: string;
    readonly number: string;
    readonly vote: Vote;
    readonly mine: boolean;
  },
): VNode {
  const { state, emit, desk, number, vote, mine } = props;
  const words = stringsOf(state);
  return (
    <section class="vote" aria-label={words.votes}>
      <p>
        <b>{asked(props, number, vote)}</b>
        <span>{words.tally(vote.yes.length, vote.voters.length)}</span>
        <span>{words.left(clockText(vote.deadline - serverNow(state)))}</span>
      </p>
      {mine ? (
        <div class="doors">
          <button
            type="button"
            class="btn act big"
            onClick={() => emit({ type: "said", inputKey: desk, text: `/accept ${number}` })}
          >
            {words.accept}
          </button>
          <button
            type="button"
            class="btn big"
            onClick={() => emit({ type: "said", inputKey: desk, text: `/refuse ${number}` })}
          >
            {words.refuse}
          </button>
        </div>
      ) : (
        <p class="quiet">{words.waitingForPlayers}</p>
      )}
    </section>
  );
}

export function Votes(
  props: ViewProps & { readonly room: RoomView; readonly desk: string },
): VNode {
  const { room } = props;
  const mine = new Set(votesForMe(room).map(([number]) => number));
  return (
    <>
      {Object.entries(tableOf(room).votes).map(([number, vote]) => (
        <Card key={number} {...props} number={number} vote={vote} mine={mine.has(number)} />
      ))}
    </>
  );
}
