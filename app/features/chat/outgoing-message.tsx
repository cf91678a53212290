import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";

import type { Account } from "#app/schemas/account.ts";
import type { Clock } from "#app/schemas/clock.ts";
import { ANONYMOUS } from "#app/schemas/message.ts";
import { Bubble } from "./bubble.tsx";
import type { SendReply } from "./room-view.ts";
import type { Outgoing } from "./use-outbox.ts";

export interface OutgoingMessageProps {
  outgoing: Outgoing;
  account: Account | null;
  clock: Clock;
  path: string;
  onSettled: (id: string, reply: SendReply) => void;
}

/** Shows a message on its way, and sends it. */
export function OutgoingMessage({
  outgoing,
  account,
  clock,
  path,
  onSettled,
}: OutgoingMessageProps) {
  const { id, text, storedId } = outgoing;
  const { submit, data } = useFetcher<SendReply>({ key: `message-${id}` });

  useEffect(() => {
    submit({ id, text, stay: "true" }, { method: "post", action: path });
    // oxlint-disable-next-line react/exhaustive-deps -- once: a message is sent when it appears
  }, []);

  useEffect(() => {
    if (data) onSettled(id, data);
    // oxlint-disable-next-line react/exhaustive-deps -- once for each answer
  }, [data]);

  const { uid = "", photoURL = null, displayName } = account ?? {};
  return (
    <Bubble
      message={{ id, text, uid, displayName: displayName ?? ANONYMOUS, photoURL, createdAt: null }}
      isOwn
      isSending={storedId === null}
      clock={clock}
    />
  );
}
