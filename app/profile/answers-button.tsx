import { useRef, useState, type ComponentType, type MouseEvent } from "react";

import { formatAnswerCount } from "#app/chat/answers/answer.ts";
import { useRoomDock } from "#app/chat/dock/use-room-dock.tsx";
import { NavItem } from "#app/site/shell/shell.tsx";
import badge from "#app/ui/count-badge.module.css";
import { Icon } from "#app/ui/icon.tsx";
import { useHydrated } from "#app/ui/hydration.ts";
import styles from "./answers-button.module.css";
import type { AnswersListProps } from "./answers-list.client.tsx";

const PATH = "/profile?tab=answers";

/**
 * The header's link to the answers, with the number of those that the user has not read. With scripts it opens the newest
 * ones below it; their code is loaded then. Phones show the number at the link to the room.
 */
export function AnswersButton({ uid }: { uid: string }) {
  const { answerCount } = useRoomDock();
  const isHydrated = useHydrated();
  const link = useRef<HTMLElement | null>(null);
  const [List, setList] = useState<ComponentType<AnswersListProps> | null>(null);
  const count = answerCount > 0 ? formatAnswerCount(answerCount) : "";

  function open(event: MouseEvent<HTMLElement>) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    link.current = event.currentTarget;
    import("./answers-list.client.tsx").then(
      ({ AnswersList }) => setList(() => AnswersList),
      () => location.assign(PATH),
    );
  }

  return (
    <span className={styles.button}>
      <NavItem
        to={PATH}
        aria-label={count ? `Answers, ${count} unread` : "Answers"}
        aria-expanded={isHydrated ? List !== null : undefined}
        onClick={open}
      >
        <Icon path="M3 11.5 5 4h10l2 7.5V16H3zh4a3 3 0 0 0 6 0h4" />
        {count ? <span className={badge.badge}>{count}</span> : null}
      </NavItem>
      {List ? <List uid={uid} link={link} onClose={() => setList(null)} /> : null}
    </span>
  );
}
