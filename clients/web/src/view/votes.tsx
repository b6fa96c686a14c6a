// Open votes: a card over the line, never over the board.

import type { VNode } from "preact";
import type { RoomView } from "../sdk/mirror.ts";
import { serverNow, tableOf, type Vote, votesForMe } from "../state/select.ts";
import { clockText } from "../words/index.ts";
import { said, type ViewProps } from "./props.ts";

function Card(
  props: ViewProps & {
    readonly desk: string;
    readonly number: string;
    readonly vote: Vote;
    readonly mine: boolean;
  },
): VNode {
  const { state, emit, desk, number, vote, mine } = props;
  const words = said(state);
  return (
    <section class="vote" aria-label={words.votes}>
      <p>
        <b>{words.voteKind[vote.kind](vote.by)}</b>
        <span>{words.tally(vote.yes.length, vote.voters.length)}</span>
        <span>{words.left(clockText(vote.deadline - serverNow(state)))}</span>
      </p>
      {mine ? (
        <div class="doors">
          <button
            type="button"
            class="btn act big"
            onClick={() => emit({ type: "said", desk, text: `/accept ${number}` })}
          >
            {words.accept}
          </button>
          <button
            type="button"
            class="btn big"
            onClick={() => emit({ type: "said", desk, text: `/refuse ${number}` })}
          >
            {words.refuse}
          </button>
        </div>
      ) : (
        <p class="quiet">{words.waitingForOthers}</p>
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
