// Open votes: a card above the line, never above the board.

import type { VNode } from "preact";
import type { Vote } from "../protocol/table.gen.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { serverNow, tableOf, votesForMe } from "../state/selectors.ts";
import type { LogLine } from "../state/state.ts";
import { clockText, stringFor } from "../strings/index.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/votes.css";

/** The server's own sentence about a vote, while the log contains it. */
function sentenceOf(log: readonly LogLine[], number: string): string | undefined {
  const opened = log.findLast(
    ({ event }) =>
      event?.event === "vote_opened" && "number" in event && event.number === Number(number),
  );
  return opened?.text;
}

/** The question of a vote; a kind that only a later server has uses the server's sentence. */
function voteText(
  props: ViewProps & { readonly room: RoomView; readonly inputKey: string },
  number: string,
  vote: Vote,
): string {
  const { state, room, inputKey } = props;
  const strings = stringsOf(state);
  const about = vote.seat === undefined ? "" : (tableOf(room).seats[vote.seat]?.name ?? "");
  const textFor = stringFor<(name: string, about: string) => string>(strings.voteKind, vote.kind);
  return (
    textFor?.(vote.by, about) ??
    sentenceOf(inputOf(state, inputKey).log, number) ??
    strings.someVote(vote.by)
  );
}

function Card(
  props: ViewProps & {
    readonly room: RoomView;
    readonly inputKey: string;
    readonly number: string;
    readonly vote: Vote;
    readonly isForMe: boolean;
  },
): VNode {
  const { state, emit, inputKey, number, vote, isForMe } = props;
  const strings = stringsOf(state);
  return (
    <section class="vote" aria-label={strings.votes}>
      <p>
        <b>{voteText(props, number, vote)}</b>
        <span>{strings.tally(vote.yes.length, vote.voters.length)}</span>
        <span>{strings.left(clockText(vote.deadline - serverNow(state), strings))}</span>
      </p>
      {isForMe ? (
        <div class="doors">
          <button
            type="button"
            class="btn act big"
            onClick={() =>
              emit({ type: "line_chosen", inputKey: inputKey, text: `/accept ${number}` })
            }
          >
            {strings.accept}
          </button>
          <button
            type="button"
            class="btn big"
            onClick={() =>
              emit({ type: "line_chosen", inputKey: inputKey, text: `/refuse ${number}` })
            }
          >
            {strings.refuse}
          </button>
        </div>
      ) : (
        <p class="quiet">{strings.waitingForPlayers}</p>
      )}
    </section>
  );
}

export function Votes(
  props: ViewProps & { readonly room: RoomView; readonly inputKey: string },
): VNode {
  const { room } = props;
  const myVotes = new Set(votesForMe(room).map(([number]) => number));
  return (
    <>
      {Object.entries(tableOf(room).votes).map(([number, vote]) => (
        <Card key={number} {...props} number={number} vote={vote} isForMe={myVotes.has(number)} />
      ))}
    </>
  );
}
