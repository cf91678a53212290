import { useEffect, useState } from "react";

import type { MessageResult, UnsentMessage } from "#app/chat/message.ts";
import { isOffline, offlineMessage, type Offline } from "#app/site/offline.ts";
import type { EditorActionData } from "#app/writing/editor-data.ts";

interface EditorResults {
  /** For the editor. */
  actionData: EditorActionData | undefined;
  /** For the chat panel: a message that was sent or not, alone or with the story. */
  messageResult: MessageResult | UnsentMessage | undefined;
  /** Why the last form did not reach the server, and what to do. */
  offlineHint: string | undefined;
}

/** Splits the result of the Create page's action into what its parts show. */
export function useEditorResults(
  actionResult: EditorActionData | MessageResult | Offline | undefined,
): EditorResults {
  const offlineHint = useOfflineHint(actionResult);
  if (actionResult === undefined || isOffline(actionResult)) {
    return { actionData: undefined, messageResult: undefined, offlineHint };
  }
  return "result" in actionResult
    ? { actionData: actionResult, messageResult: actionResult.message, offlineHint }
    : { actionData: undefined, messageResult: actionResult, offlineHint };
}

/**
 * Returns why the last form did not reach the server, and what to do, which changes once the connection is back.
 *
 * @param actionData what the form's action returned
 */
function useOfflineHint(actionData: unknown): string | undefined {
  const [dataWhenOffline, setDataWhenOffline] = useState<unknown>();
  useEffect(() => {
    if (!isOffline(actionData)) return undefined;
    const onOnline = () => setDataWhenOffline(actionData);
    window.addEventListener("online", onOnline);
    return () => window.removeEventListener("online", onOnline);
  }, [actionData]);
  if (!isOffline(actionData)) return undefined;
  return actionData === dataWhenOffline
    ? "You're back online. Try again."
    : offlineMessage(actionData);
}
