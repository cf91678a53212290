import { useSearchParams } from "@remix-run/react";

import { Link } from "#app/ui/link.tsx";
import styles from "./reports.module.css";
import { toReportsPath } from "./reports-view.ts";

export interface PageLinksProps {
  /** The parameter of the list's page. */
  param: string;
  /** The next page; `null` if there is none. */
  next: string | null;
  label: string;
  /** The id of the list's heading. */
  headingId: string;
}

/** The links to the next and the first page of a list. */
export function PageLinks({ param, next, label, headingId }: PageLinksProps) {
  const [params] = useSearchParams();
  const toPage = (page: string | null) =>
    `${toReportsPath(params, { [param]: page })}#${headingId}`;
  const isLater = params.has(param);
  if (next === null && !isLater) return null;
  return (
    <p className={styles.links}>
      {next === null ? null : (
        // Each page has a new link, so that the heading gets the focus of the pressed one.
        <Link key={next} variant="standalone" to={toPage(next)}>
          {label}
        </Link>
      )}
      {isLater ? (
        <Link variant="standalone" to={toPage(null)}>
          First page
        </Link>
      ) : null}
    </p>
  );
}
