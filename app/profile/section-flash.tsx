import { createContext, useContext, useEffect, useRef } from "react";

import { FLASH_TEXTS } from "#app/site/flash/flash-text.ts";
import type { Flash } from "#app/site/flash/flash.ts";
import { Icon } from "#app/ui/icon.tsx";
import { toFlashId, type ProfileSection } from "./profile-view.ts";
import styles from "./section-flash.module.css";

export interface SectionFlashValue {
  flash: Flash;
  section: ProfileSection;
}

/** The flash of the last submit and its section, or `null`. */
export const SectionFlashContext = createContext<SectionFlashValue | null>(null);

export interface SectionFlashProps {
  section: ProfileSection;
  /** Whether the form is being submitted again. */
  isPending: boolean;
}

/** Shows a flash next to the form's button. The output is rendered even when empty, so that screen readers announce it. */
export function SectionFlash({ section, isPending }: SectionFlashProps) {
  const current = useContext(SectionFlashContext);
  const text = current?.section === section && !isPending ? FLASH_TEXTS[current.flash] : undefined;
  const output = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    // It may be below the window's edge.
    if (text) output.current?.scrollIntoView({ block: "nearest" });
  }, [text]);

  return (
    <output ref={output} className={styles.flash} id={toFlashId(section)}>
      {text ? (
        <span className={styles.text}>
          <Icon name="success" className={styles.icon} />
          <span>
            <span>{text.message}</span>
            {text.hint ? <span className={styles.hint}>{text.hint}</span> : null}
          </span>
        </span>
      ) : null}
    </output>
  );
}
