import { LiveList, LiveMessages } from "#app/chat/live/live-page.tsx";

export { loadLive as loader } from "#app/chat/live/live.server.tsx";

const NO_MESSAGES = {
  messages: [],
  previous: undefined,
  originals: { messages: new Map(), viewer: { uid: undefined, hiddenUids: new Set<string>() } },
  locale: { language: "en", timeZone: "UTC" },
  now: 0,
};

/** Tells the build which styles the page needs. Never rendered: `entry.server.tsx` sends another page. */
export default function RoomLiveRoute() {
  return (
    <>
      <LiveList />
      <LiveMessages {...NO_MESSAGES} />
    </>
  );
}
