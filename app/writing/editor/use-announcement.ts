import { useEffect, useMemo } from "react";
import { useSearchParams } from "@remix-run/react";

import { focusComposer } from "#app/chat/dock/focus-composer.ts";
import type { UnsentMessage } from "#app/chat/message.ts";
import { useOutboxes } from "#app/chat/outbox/use-outbox.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { useReplaceAddress } from "#app/ui/use-replace-address.ts";
import type { EditorData } from "#app/writing/editor-data.ts";
import { ANNOUNCE_PARAM, toCreatePath } from "#app/writing/side-tabs.ts";

/**
 * Puts the message about the published story into the composer, if the URL asks for it: on pages without scripts as the
 * returned message, otherwise below what has been typed, with the focus.
 */
export function useAnnouncement(
  { announcement, draft, uid }: EditorData,
  nextId: string,
): UnsentMessage | undefined {
  const outboxes = useOutboxes();
  const isHydrated = useHydrated();
  const [params] = useSearchParams();
  const isRequested = params.has(ANNOUNCE_PARAM);
  const replaceAddress = useReplaceAddress();

  useEffect(() => {
    if (!isRequested || announcement === null || uid === null) return;
    const outbox = outboxes.get(uid);
    const typed = outbox.getState().input?.text ?? "";
    if (!typed.includes(announcement)) outbox.appendText(announcement);
    void focusComposer();
    // A reload would add it again.
    replaceAddress(`${toCreatePath(draft.id, "room")}#room`);
  }, [isRequested, announcement, uid, draft.id, outboxes, replaceAddress]);

  return useMemo(
    () =>
      announcement === null || isHydrated
        ? undefined
        : { status: "unsent", id: nextId, text: announcement, uid: uid ?? undefined },
    [announcement, isHydrated, nextId, uid],
  );
}
