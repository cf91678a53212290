import { useState } from "react";

import { Button } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import styles from "./answers.module.css";

/**
 * The button that asks the browser for notifications, while it may be asked: it needs scripts, and nobody is asked again
 * after a no.
 */
export function TellMe() {
  const isHydrated = useHydrated();
  const [answer, setAnswer] = useState<NotificationPermission | null>(null);
  const permission = answer ?? (isHydrated ? findPermission() : null);

  async function ask() {
    try {
      // oxlint-disable-next-line baseline-js/use-baseline -- `findPermission` has checked that the browser has it
      setAnswer(await Notification.requestPermission());
    } catch {
      // Some browsers allow notifications only to installed apps.
      setAnswer("denied");
    }
  }

  return (
    <output className={styles.tell}>
      {permission === "default" ? (
        <>
          <span>We can tell you about answers while Inkglade is open in another tab.</span>
          <Button variant="quiet" onPress={() => void ask()}>
            Tell me
          </Button>
        </>
      ) : null}
      {permission === "granted"
        ? "Your browser tells you about answers while Inkglade is open in another tab. You can turn this off in its settings."
        : null}
      {answer === "denied"
        ? "Your browser won't show notifications from Inkglade. You can change this in its settings."
        : null}
    </output>
  );
}

/** Returns `null` if the browser has no notifications, or the user has said no. */
function findPermission(): NotificationPermission | null {
  if (!("Notification" in window) || Notification.permission === "denied") return null;
  return Notification.permission;
}
