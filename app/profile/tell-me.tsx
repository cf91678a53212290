import { useState } from "react";

import { Button } from "#app/ui/button.tsx";
import { useFocusAfterRemoval } from "#app/ui/use-focus-after-removal.ts";
import { useHydrated } from "#app/ui/hydration.ts";
import styles from "./answers.module.css";

const GRANTED =
  "Your browser tells you about answers while Inkglade is open in another tab. You can turn this off in its settings.";
const DENIED =
  "Your browser won't show notifications from Inkglade. You can change this in its settings.";

/**
 * The button that asks for permission to show notifications. It needs scripts, and is not shown to a user who has
 * declined.
 */
export function TellMe() {
  const isHydrated = useHydrated();
  const [answer, setAnswer] = useState<NotificationPermission | null>(null);
  const button = useFocusAfterRemoval<HTMLButtonElement>();
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
    <div className={styles.tell}>
      {permission === "default" ? (
        <>
          <span>We can tell you about answers while Inkglade is open in another tab.</span>
          <Button ref={button} variant="quiet" onPress={() => void ask()}>
            Tell me
          </Button>
        </>
      ) : null}
      {answer === null && permission === "granted" ? GRANTED : null}
      <output>{answer === "granted" ? GRANTED : answer === "denied" ? DENIED : null}</output>
    </div>
  );
}

/** Returns `null` if the browser has no notifications, or the user has said no. */
function findPermission(): NotificationPermission | null {
  if (!("Notification" in window) || Notification.permission === "denied") return null;
  return Notification.permission;
}
