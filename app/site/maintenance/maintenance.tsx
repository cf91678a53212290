import { isRouteErrorResponse } from "@remix-run/react";

import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import { MAINTENANCE } from "./maintenance-status.ts";
import styles from "./maintenance.module.css";

/** Seconds after which the screen asks whether the app is back. */
const REFRESH_SECONDS = 60;

/** Whether the server answered that the app is switched off. */
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

/** What the head of the screen's document holds beside the styles: it refreshes itself, without scripts. */
export function MaintenanceHead() {
  return (
    <>
      <title>Inkglade</title>
      <meta httpEquiv="refresh" content={String(REFRESH_SECONDS)} />
    </>
  );
}

/** The screen that stands in for every page while the app is switched off. It is the same in both themes. */
export function MaintenancePage() {
  return (
    <main className={styles.screen}>
      <div className={styles.text}>
        <h1 className={styles.name}>Inkglade</h1>
        <p className={styles.message}>We'll be online soon!</p>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- nothing was calculated that <output> would name */}
        <div className={styles.spinner} role="status">
          <VisuallyHidden>Loading</VisuallyHidden>
        </div>
      </div>
    </main>
  );
}
