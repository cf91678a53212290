import { Link } from "#app/components/link.tsx";

/** The words by which a hint leads to a new password. */
const RESET = "reset your password";

/** What helps after a refusal. Where it speaks of a new password, it leads to one. */
export function Hint({ children }: { children: string }) {
  const [before, after] = children.split(RESET);
  if (after === undefined) return children;
  return (
    <>
      {before}
      <Link to="/login?reset=1" isQuiet>
        {RESET}
      </Link>
      {after}
    </>
  );
}
