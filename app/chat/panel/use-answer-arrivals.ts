import { useEffect, useState } from "react";

import { isReply, readSubject } from "#app/chat/quotes/quote.ts";
import type { FeedState } from "#app/chat/use-feed.ts";
import { createArrivalFinder } from "./arrival-announcer.tsx";

/** Lets the header count the user's answers again when a message arrives that may be one: a reply, or a quote. */
export function useAnswerArrivals(
  { messages, status }: Pick<FeedState, "messages" | "status">,
  uid: string | undefined,
) {
  const [findArrivals] = useState(createArrivalFinder);

  useEffect(() => {
    const mayAnswer = findArrivals(messages, status).some(
      (message) =>
        message.uid !== uid &&
        (isReply(message.text) || (readSubject(message.text)?.paragraph ?? null) !== null),
    );
    if (uid === undefined || !mayAnswer) return;
    void import("#app/chat/dock/room-summary.client.ts").then(
      ({ refreshSummary }) => refreshSummary(),
      // A new version was deployed. The next page asks.
      () => undefined,
    );
  }, [findArrivals, messages, status, uid]);
}
