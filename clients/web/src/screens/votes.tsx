// Open votes: a card above the line, never above the board.

import type { VNode } from "preact";
import type { AnyEvent } from "../board/contract.ts";
import type { Vote } from "../protocol/table.gen.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { serverNow, tableOf, votesForMe } from "../state/selectors.ts";
import type { LogLine } from "../state/state.ts";
import { clockText, stringFor } from "../strings/index.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/votes.css";

type Opened = AnyEvent & { readonly number: number };

/** The server's own sentence about a vote, while the log contains it. */
function sentenceOf(log: readonly LogLine[], number: string): string | undefined {
  const opened = log.findLast(
    ({ event }) => event?.event === "vote_opened" && (event as Opened).number === Number(number),
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
  const about = tableOf(room).seats[vote.seat ?? 0]?.name ?? "";
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
  },
): VNode {
  const { state, emit, room, inputKey, number, vote } = props;
  const strings = stringsOf(state);
  const mayVote = votesForMe(room).some(([each]) => each === number);
  const ballot = (command: string, label: string, look: string): VNode => (
    <button
      type="button"
      class={look}
      onClick={() => emit({ type: "line_chosen", inputKey, text: `/${command} ${number}` })}
    >
      {label}
    </button>
  );
  return (
    <section class="vote" aria-label={strings.votes}>
      <p>
        <b>{voteText(props, number, vote)}</b>
        <span>{strings.tally(vote.yes.length, vote.voters.length)}</span>
        <span>{strings.left(clockText(vote.deadline - serverNow(state), strings))}</span>
      </p>
      {!mayVote && <p class="quiet">{strings.waitingForPlayers}</p>}
      <div class="doors">
        {mayVote && ballot("accept", strings.accept, "btn act big")}
        {mayVote && ballot("refuse", strings.refuse, "btn big")}
        {vote.by === state.name && ballot("refuse", strings.withdraw, "btn big")}
      </div>
    </section>
  );
}

export function Votes(
  props: ViewProps & { readonly room: RoomView; readonly inputKey: string },
): VNode {
  return (
    <>
      {Object.entries(tableOf(props.room).votes).map(([number, vote]) => (
        <Card key={number} {...props} number={number} vote={vote} />
      ))}
    </>
  );
}
