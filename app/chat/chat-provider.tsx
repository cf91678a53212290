import { useState, type ReactNode } from "react";

import { createOutboxes, OutboxesContext } from "./outbox/use-outbox.ts";
import { createPresenceSessions, PresenceContext } from "./use-presence.ts";

/** Provides the chat's state of this tab. Rendered around the router, so that an error page does not discard it. */
export function ChatProvider({ children }: { children: ReactNode }) {
  const [outboxes] = useState(createOutboxes);
  const [presence] = useState(() => createPresenceSessions());
  return (
    <OutboxesContext.Provider value={outboxes}>
      <PresenceContext.Provider value={presence}>{children}</PresenceContext.Provider>
    </OutboxesContext.Provider>
  );
}
