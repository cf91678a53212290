import { MessageBanner } from "#app/ui/message-banner.tsx";
import type { ActionError } from "#app/session/action-result.ts";

/** Shows why a draft was not saved. */
export function SaveErrorBanner({ error, className }: { error: ActionError; className?: string }) {
  return (
    <MessageBanner severity="error" hint={error.hint} className={className}>
      {error.message}
    </MessageBanner>
  );
}
