import { MessageBanner } from "#app/ui/message-banner.tsx";
import { AUTO_FOCUS } from "./auto-focus.ts";
import type { ProfileActionResult } from "./profile-view.ts";

/** The error of a section's last submit, to which a page without scripts scrolls. */
export function SectionError({ banner }: Pick<ProfileActionResult, "banner">) {
  if (!banner) return null;
  return (
    <div {...AUTO_FOCUS}>
      <MessageBanner severity="error" hint={banner.hint}>
        {banner.message}
      </MessageBanner>
    </div>
  );
}
