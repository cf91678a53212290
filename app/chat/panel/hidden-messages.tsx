import { useRef } from "react";

import { useMessageActionsValue } from "#app/chat/use-message-actions.ts";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { focusFeed } from "./deleted-message.tsx";
import { HIDE } from "./icon-paths.ts";
import styles from "./hidden-messages.module.css";

/** Replaces consecutive messages of people that the user has hidden. */
export function HiddenMessages({ ids }: { ids: readonly string[] }) {
  const { actions } = useMessageActionsValue();
  const button = useRef<HTMLButtonElement>(null);

  function show() {
    // The button is about to be removed, and the focus with it.
    if (button.current) focusFeed(button.current);
    actions.reveal(ids);
  }

  return (
    <li className={styles.item}>
      <Icon path={HIDE} />
      {ids.length === 1 ? "1 hidden message" : `${ids.length} hidden messages`}
      <Button ref={button} variant="quiet" onPress={show}>
        Show
      </Button>
    </li>
  );
}
