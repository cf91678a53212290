import { useMessageActionsValue } from "#app/chat/use-message-actions.ts";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { HIDE } from "./icon-paths.ts";
import styles from "./hidden-messages.module.css";

/**
 * Replaces consecutive messages of people that the user has hidden. Without scripts, they are shown again from the
 * profile only.
 */
export function HiddenMessages({ ids }: { ids: readonly string[] }) {
  const { actions } = useMessageActionsValue();
  const isHydrated = useHydrated();
  return (
    <li className={styles.item}>
      <Icon path={HIDE} />
      {ids.length === 1 ? "1 hidden message" : `${ids.length} hidden messages`}
      {isHydrated ? (
        <Button variant="quiet" onPress={() => actions.reveal(ids)}>
          Show
        </Button>
      ) : null}
    </li>
  );
}
