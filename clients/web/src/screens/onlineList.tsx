// Who is online, and where: a name leads to the person's page, a button starts a line to them.

import type { VNode } from "preact";
import { Icon } from "../board/index.ts";
import { quoted } from "../line/quoted.ts";
import type { OnlinePerson } from "../protocol/answers.gen.ts";
import { gameName } from "../state/selectors.ts";
import { LOBBY } from "../state/state.ts";
import { PageLink } from "./pageLink.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

function Person({ state, emit, person }: ViewProps & { readonly person: OnlinePerson }): VNode {
  const strings = stringsOf(state);
  const { name, rooms, away } = person;
  const [room] = rooms;
  return (
    <li>
      <PageLink emit={emit} to={{ at: "person", name }} class="link">
        <bdi>{name}</bdi>
      </PageLink>
      <small>
        {away === undefined ? room && gameName(state, room.game) : strings.awayWith(away)}
      </small>
      {name !== state.name && (
        <button
          type="button"
          class="btn flat"
          aria-label={strings.writeTo(name)}
          onClick={() => emit({ type: "typed", inputKey: LOBBY, text: `/tell ${quoted(name)} ` })}
        >
          <Icon name="talk" />
        </button>
      )}
    </li>
  );
}

export function OnlineList(props: ViewProps): VNode | null {
  const strings = stringsOf(props.state);
  const { online } = props.state.lobby;
  if (online === undefined) return null;
  return (
    <section class="here" aria-labelledby="here">
      <h2 id="here">
        {strings.hereNow} <small>{online.people.length + online.more}</small>
      </h2>
      <ul>
        {online.people.map((person) => (
          <Person key={person.name} {...props} person={person} />
        ))}
      </ul>
    </section>
  );
}
