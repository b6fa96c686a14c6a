// The whole page as a function of the state.

import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { currentRoom } from "../state/selectors.ts";
import { Boundary } from "./boundary.tsx";
import { FaultBar } from "./faultBar.tsx";
import { lazy } from "./lazy.tsx";
import { Start } from "./start.tsx";
import { LinkBar } from "./topBar.tsx";
import type { ViewProps } from "./viewProps.ts";
import { stringsOf } from "./viewProps.ts";

/** While a stored token is being checked, the form is hidden. */
function Waiting({ state, emit }: ViewProps): VNode {
  return (
    <main class="wrap">
      <LinkBar state={state} emit={emit} />
      <p role="status">{stringsOf(state).connecting}</p>
    </main>
  );
}

/** If more than one panel is broken: a link to the report, and a button to try again. */
function Broken({ state }: Pick<ViewProps, "state">): VNode {
  return (
    <main class="wrap">
      <p role="alert">{stringsOf(state).brokenSection}</p>
    </main>
  );
}

export function App(props: ViewProps & { readonly touch: boolean }): VNode {
  const { state, emit } = props;
  return (
    <>
      <FaultBar state={state} emit={emit} />
      {state.copied && <CopyBar state={state} emit={emit} />}
      <Boundary
        of={state.session.mirror}
        instead={<Broken state={state} />}
        onError={(why) => emit({ type: "drawing_failed", where: "page", why })}
      >
        <Page {...props} />
      </Boundary>
    </>
  );
}

const CopyBar = lazy(() => import("./copyBar.tsx").then((loaded) => loaded.CopyBar), "");
const Invite = lazy(() => import("./invite.tsx").then((loaded) => loaded.Invite));
const Lobby = lazy(() => import("./lobby.tsx").then((loaded) => loaded.Lobby));
const Room = lazy(() => import("./room.tsx").then((loaded) => loaded.Room));
const People = lazy(() => import("./people.tsx").then((loaded) => loaded.People));
const ReplayLanding = lazy(() =>
  import("./replayLanding.tsx").then((loaded) => loaded.ReplayLanding),
);
const ReplayScreen = lazy(() => import("./replayScreen.tsx").then((loaded) => loaded.ReplayScreen));

function Page(props: ViewProps & { readonly touch: boolean }): VNode {
  const { state, emit, touch } = props;
  const { address, session } = state;
  useEffect(() => {
    // One press leads from every screen to a room. A failure is reported where it is drawn.
    Room.load().catch(() => undefined);
  }, []);
  const room = currentRoom(state);
  if (room !== undefined)
    return <Room key={room.id} state={state} emit={emit} room={room} touch={touch} />;
  const returning = !session.welcomed && session.hello.token != null && state.link.phase !== "off";
  if (address.at === "room" && returning) return <Waiting state={state} emit={emit} />;
  if (address.at === "game") {
    if (!session.welcomed && !returning) return <ReplayLanding state={state} emit={emit} />;
    return (
      <ReplayScreen key={address.id} state={state} emit={emit} id={address.id} touch={touch} />
    );
  }
  if (address.at === "room" || address.at === "invite") return <Invite state={state} emit={emit} />;
  if (address.at === "lobby" && (session.welcomed || returning)) {
    return <Lobby state={state} emit={emit} />;
  }
  if (address.at === "me" || address.at === "person" || address.at === "top") {
    return <People state={state} emit={emit} />;
  }
  return <Start state={state} emit={emit} />;
}
