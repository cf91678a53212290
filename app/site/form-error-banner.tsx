import type { FormError } from "#app/http/form.ts";
import { AUTO_FOCUS } from "#app/ui/auto-focus.ts";
import { MessageBanner } from "#app/ui/message-banner.tsx";

/** The error of a form's last submit, to which a page without scripts scrolls. */
export function FormErrorBanner({ error }: { error: FormError | undefined }) {
  if (!error) return null;
  return (
    <div {...AUTO_FOCUS}>
      <MessageBanner severity="error" hint={error.hint}>
        {error.message}
      </MessageBanner>
    </div>
  );
}
