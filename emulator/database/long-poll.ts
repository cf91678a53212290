/**
 * Responds to the SDK's long polling with a script that switches it back to WebSockets.
 *
 * After a WebSocket has failed once, for example during a restart of this server, the SDK tries long polling first, on
 * every page from then on.
 *
 * Unlike Firebase, long polling transfers no data: nothing between two programs of one machine blocks WebSockets.
 */
export function handleLongPoll(url: URL): Response {
  const headers = { "Cache-Control": "no-store" };
  if (!url.searchParams.has("start")) {
    return new Response("", { headers: { ...headers, "Content-Type": "text/html" } });
  }
  // Digits only, because the value becomes part of a script.
  const callback = /^\d+$/.exec(url.searchParams.get("cb") ?? "")?.[0] ?? "";
  const script = `try {
  parent.localStorage.removeItem("firebase:previous_websocket_failure");
} catch {
  // Storage is blocked, so nothing was stored.
}
parent.window["pLPCommand${callback}"]("close");
`;
  return new Response(script, {
    headers: { ...headers, "Content-Type": "application/javascript" },
  });
}
