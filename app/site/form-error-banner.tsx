import type { FormError } from "#app/http/form.ts";
import { MessageBanner } from "#app/ui/message-banner.tsx";

/**
 * Props that make a page without scripts scroll to an error: browsers scroll to the element with `autofocus`. With
 * scripts the page stays in place, and React does not focus these elements.
 */
export const AUTO_FOCUS = { tabIndex: -1, autoFocus: true };

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
