import { isRouteErrorResponse } from "@remix-run/react";

import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "./maintenance.module.css";

/** The body of the 503 during maintenance. Other 503s mean that a service is unavailable. */
export const MAINTENANCE = { isMaintenance: true };

const REFRESH_SECONDS = 60;

/** Returns whether an error is the 503 of the maintenance mode. */
export function isMaintenance(error: unknown): boolean {
  if (!isRouteErrorResponse(error)) return false;
  const body: unknown = error.data;
  return (
    typeof body === "object" &&
    body !== null &&
    "isMaintenance" in body &&
    body.isMaintenance === MAINTENANCE.isMaintenance
  );
}

/** The page has no scripts, so it reloads with a meta tag. */
export function MaintenanceHead() {
  return (
    <>
      <title>Inkglade</title>
      <meta httpEquiv="refresh" content={String(REFRESH_SECONDS)} />
    </>
  );
}

/** Shown instead of every page during maintenance. The same in both themes. */
export function MaintenancePage() {
  return (
    <main className={styles.screen}>
      <div className={styles.text}>
        <h1 className={styles.name}>Inkglade</h1>
        <p className={styles.message}>We'll be online soon!</p>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <output> is for the result of a calculation */}
        <div className={styles.spinner} role="status">
          <VisuallyHidden>Loading</VisuallyHidden>
        </div>
      </div>
    </main>
  );
}
