import { MessageBanner } from "#app/ui/message-banner.tsx";
import type { SaveError } from "#app/writing/editor-data.ts";

/** Shows why a draft was not saved. */
export function SaveErrorBanner({ error, className }: { error: SaveError; className?: string }) {
  return (
    <MessageBanner severity="error" hint={error.hint} className={className}>
      {error.message}
    </MessageBanner>
  );
}
