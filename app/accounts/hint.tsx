import { Link } from "#app/ui/link.tsx";
import { RESET_PATH } from "./email-links/email-link-screen.ts";
import { ForgotPassword } from "./email-links/forgot-password.tsx";
import styles from "./hint.module.css";

/** The words by which a hint leads to a new password. */
const RESET = "reset your password";

/** What helps after a refusal. Where it speaks of a new password, it leads to one. */
export function Hint({
  emailForm,
  children,
}: {
  /** The form whose e-mail goes along; without one nothing does. */
  emailForm?: string | undefined;
  children: string;
}) {
  const [before, after] = children.split(RESET);
  if (after === undefined) return children;
  return (
    <>
      {before}
      {emailForm ? (
        <ForgotPassword formId={emailForm} className={styles.quiet}>
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
