import { createContext, useContext, useEffect, useRef } from "react";

import { NOTICE_WORDS } from "#app/site/flash/flash-text.ts";
import type { Notice } from "#app/site/flash/flash.ts";
import { Icon } from "#app/ui/icon.tsx";
import { toAnswerId, type ProfileSection } from "./profile-view.ts";
import styles from "./result.module.css";

export interface ProfileAnswer {
  notice: Notice;
  section: ProfileSection;
}

/** What the last form of the page has come to; `null` where there is nothing to say. */
export const AnswerContext = createContext<ProfileAnswer | null>(null);

export interface AnswerProps {
  section: ProfileSection;
  /** Whether another attempt is under way, whose answer is still to come. */
  isPending: boolean;
}

/** Says beside a button what pressing it has done. It is there before there is anything to say, so that it is announced. */
export function Answer({ section, isPending }: AnswerProps) {
  const answer = useContext(AnswerContext);
  const words = answer?.section === section && !isPending ? NOTICE_WORDS[answer.notice] : undefined;
  const output = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    // Below a button at the lower edge of the window it would not be seen.
    if (words) output.current?.scrollIntoView({ block: "nearest" });
  }, [words]);

  return (
    <output ref={output} className={styles.answer} id={toAnswerId(section)}>
      {words ? (
        <span className={styles.words}>
          <Icon name="success" className={styles.icon} />
          <span>
            <span>{words.message}</span>
            {words.hint ? <span className={styles.hint}>{words.hint}</span> : null}
          </span>
        </span>
      ) : null}
    </output>
  );
}
