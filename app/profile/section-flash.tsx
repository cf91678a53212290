import { createContext, useContext, useEffect, useRef, useState } from "react";

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

/** How long the flash of a switch or a small button is shown. */
export const FLASH_LIFE_MS = 6000;

export interface SectionFlashProps {
  section: ProfileSection;
  /** Whether the form is being submitted again. */
  isPending: boolean;
  /** Milliseconds until it disappears. @default never */
  life?: number;
}

/** Shows a flash next to the form's button. The output is rendered even when empty, so that screen readers announce it. */
export function SectionFlash({ section, isPending, life }: SectionFlashProps) {
  const current = useContext(SectionFlashContext);
  const [isOver, setIsOver] = useState(false);
  const flash = current?.section === section && !isPending ? current.flash : undefined;
  const text = flash && !isOver ? FLASH_TEXTS[flash] : undefined;
  const output = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    // The flash may be outside of the window.
    if (text) output.current?.scrollIntoView({ block: "nearest" });
  }, [text]);
  useEffect(() => {
    if (!flash || life === undefined) return undefined;
    const timer = setTimeout(() => setIsOver(true), life);
    return () => {
      clearTimeout(timer);
      setIsOver(false);
    };
  }, [flash, life]);

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
