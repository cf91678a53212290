import { useState } from "react";

import type { ReturnTo } from "#app/session/return-to.ts";
import { Link } from "#app/ui/link.tsx";

/**
 * The link to the page that required sign-in. The server sends its address once; the link stays until the user leaves
 * the page.
 */
export function ContinueLink({ returnTo }: { returnTo: ReturnTo | null }) {
  const [initial] = useState(returnTo);
  if (!initial?.label) return null;
  return (
    <Link to={initial.path} variant="standalone">
      Continue to {initial.label}
    </Link>
  );
}
