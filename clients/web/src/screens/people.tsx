// The pages of people: my games and friends, a person's ratings and games, the ranking of a game.

import type { ComponentChildren, VNode } from "preact";
import type { Address } from "../state/state.ts";
import { peopleStrings } from "../strings/people.ts";
import { Dialogs } from "./dialogs.tsx";
import { Leaderboard } from "./leaderboard.tsx";
import { MyGames } from "./myGames.tsx";
import { PageLink } from "./pageLink.tsx";
import { Profile } from "./profile.tsx";
import { Masthead, NameField, Progress } from "./start.tsx";
import { LinkBar } from "./topBar.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/people.css";

function Doors({ state, emit }: ViewProps): VNode {
  const strings = peopleStrings(state.settings.lang);
  const { address } = state;
  const me: Address = { at: "me" };
  const doors: readonly (readonly [Address, string])[] = [
    [{ at: "start" }, strings.play],
    [me, strings.myGames],
    [{ at: "top", game: "" }, strings.leaderboard],
  ];
  return (
    <nav>
      {doors.map(([to, label]) => (
        <PageLink key={to.at} emit={emit} to={to} class="btn flat" current={address.at === to.at}>
          {label}
        </PageLink>
      ))}
      {state.session.welcomed && (
        <PageLink
          emit={emit}
          to={{ at: "person", name: state.name }}
          class="btn"
          current={address.at === "person" && address.name === state.name}
        >
          <bdi>{state.name}</bdi>
        </PageLink>
      )}
    </nav>
  );
}

/** For a person without a name: the server answers those it knows. */
function SignIn(props: ViewProps): VNode {
  const { state, emit } = props;
  const strings = stringsOf(state);
  return (
    <form
      class="card sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        if (state.name.trim() !== "") emit({ type: "sign_in" });
      }}
    >
      <p>{peopleStrings(state.settings.lang).enterFirst}</p>
      <NameField {...props} />
      <button type="submit" class="btn act big" disabled={state.link.phase === "connecting"}>
        {strings.enter}
      </button>
      <Progress {...props} />
    </form>
  );
}

function Shown(props: ViewProps): ComponentChildren {
  const { address, session } = props.state;
  if (!session.welcomed) {
    const returning = session.hello.token != null && props.state.link.phase !== "off";
    return returning ? (
      <p role="status">{stringsOf(props.state).connecting}</p>
    ) : (
      <SignIn {...props} />
    );
  }
  if (address.at === "person") return <Profile key={address.name} {...props} name={address.name} />;
  if (address.at === "top") return <Leaderboard key={address.game} {...props} />;
  return <MyGames {...props} />;
}

export function People(props: ViewProps): VNode {
  return (
    <div class="wrap people">
      <Masthead {...props} title={false}>
        <Doors {...props} />
      </Masthead>
      <LinkBar {...props} />
      <main id="board" tabIndex={-1}>
        <Shown {...props} />
      </main>
      <Dialogs {...props} inputKey="lobby" />
    </div>
  );
}
