/**
 * Answers the SDK's long polling with a script that sends it back to WebSockets.
 *
 * A browser that ever failed to open a socket, say while this server was restarting, tries long polling first
 * and would stay with it for good if it found nothing here.
 *
 * Unlike Firebase, no data ever travels this way.
 */
export function answerLongPoll(url: URL): Response {
  const headers = { "Cache-Control": "no-store" };
  if (!url.searchParams.has("start")) {
    return new Response("", { headers: { ...headers, "Content-Type": "text/html" } });
  }
  // Digits only: what comes from the URL becomes part of a script.
  const callback = /^\d+$/.exec(url.searchParams.get("cb") ?? "")?.[0] ?? "";
  const script = `try {
  parent.localStorage.removeItem("firebase:previous_websocket_failure");
} catch {
  // Without storage there is nothing to forget.
}
parent.window["pLPCommand${callback}"]("close");
`;
  return new Response(script, {
    headers: { ...headers, "Content-Type": "application/javascript" },
  });
}
