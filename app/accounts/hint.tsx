import { Link } from "#app/ui/link.tsx";
import { RESET_PATH } from "./email-links/email-link-screen.ts";
import { ForgotPassword } from "./email-links/forgot-password.tsx";
import styles from "./hint.module.css";

/** The words that become a link to reset the password. */
const RESET = "reset your password";

/** The hint below an error, with a link where it mentions resetting the password. */
export function Hint({
  emailFormId,
  children,
}: {
  /** The id of the form whose e-mail address the link submits. */
  emailFormId?: string | undefined;
  children: string;
}) {
  const [before, after] = children.split(RESET);
  if (after === undefined) return children;
  return (
    <>
      {before}
      {emailFormId ? (
        <ForgotPassword formId={emailFormId} className={styles.quiet}>
          {RESET}
        </ForgotPassword>
      ) : (
        <Link to={RESET_PATH} isQuiet>
          {RESET}
        </Link>
      )}
      {after}
    </>
  );
}
