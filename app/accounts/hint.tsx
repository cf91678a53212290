import { Link } from "#app/ui/link.tsx";
import { RESET_PATH } from "./email-links/email-link-screen.ts";

/** The words that become a link to reset the password. */
const RESET = "reset your password";

/** The hint below an error, with a link where it mentions resetting the password. */
export function Hint({ children }: { children: string }) {
  const [before, after] = children.split(RESET);
  if (after === undefined) return children;
  return (
    <>
      {before}
      <Link to={RESET_PATH} isQuiet>
        {RESET}
      </Link>
      {after}
    </>
  );
}
