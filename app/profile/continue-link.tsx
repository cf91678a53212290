import { useState } from "react";

import type { Wish } from "#app/session/return-to.ts";
import { Link } from "#app/ui/link.tsx";

/** Offers to go on to where Sign In came in between. The server says so once; it stays as long as its page does. */
export function WayOn({ wish }: { wish: Wish | null }) {
  const [offered] = useState(wish);
  if (!offered) return null;
  return (
    <Link to={offered.to} variant="standalone">
      Continue to {offered.place}
    </Link>
  );
}
