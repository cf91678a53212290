import { Link, useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";

import { useRoomDock } from "#app/chat/dock/use-room-dock.tsx";
import iconButton from "#app/ui/icon-button.module.css";
import { useMediaQuery } from "#app/ui/use-media-query.ts";
import { findSideTab, SIDE_TABS, toCreatePath, type SideTab } from "#app/writing/side-tabs.ts";
import styles from "./side-panel.module.css";

export interface SideTabsProps {
  /** The tab in the URL. */
  tab: SideTab | null;
  /** The draft in the editor; `null` for a story that was never saved. */
  draftId: string | null;
  /** Whether the URL opens a new story. */
  isNew: boolean;
}

/** The tabs in narrow windows, where the panel replaces the editor. */
export function PhoneTabs({ tab, draftId, isNew }: SideTabsProps) {
  return (
    <nav className={styles.phoneTabs} aria-label="Editor and side panel">
      {[{ id: null, label: "Write" }, ...SIDE_TABS].map(({ id, label }) => (
        <Link
          key={label}
          to={toCreatePath(draftId, id, isNew)}
          aria-current={id === tab ? "page" : undefined}
          preventScrollReset
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** The panel beside the editor, which can be folded away. */
export function SidePanel({
  tab,
  draftId,
  isNew,
  children,
}: SideTabsProps & { children: ReactNode }) {
  const { isOpen, open, close } = useRoomDock();
  const shown = tab ?? "room";
  return (
    <aside
      id="side-panel"
      className={styles.panel}
      data-tab={tab ?? "none"}
      aria-label="Side panel"
    >
      <div className={styles.head}>
        <nav className={styles.tabs} aria-label="Side panel tabs">
          {SIDE_TABS.map(({ id, label }) => (
            <Link
              key={id}
              to={toCreatePath(draftId, id, isNew)}
              aria-current={id === shown ? "page" : undefined}
              preventScrollReset
            >
              {label}
            </Link>
          ))}
        </nav>
        <button
          type="button"
          className={`${iconButton.button} ${styles.toggle}`}
          aria-label={isOpen ? "Hide the side panel" : "Show the side panel"}
          aria-expanded={isOpen}
          onClick={isOpen ? close : open}
        >
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M3 3.5h14v13H3zM12.5 3.5v13" />
          </svg>
        </button>
      </div>
      <div className={styles.content}>{children}</div>
    </aside>
  );
}

/** From this width on, the side panel is beside the editor. side-panel.module.css has the same width. */
const WIDE_MEDIA_QUERY = "(min-width: 960px)";

/** Returns the tab in the URL, and whether the room is visible, beside the editor or in its place. */
export function useSideTab() {
  const [params] = useSearchParams();
  const { isOpen } = useRoomDock();
  const isWide = useMediaQuery(WIDE_MEDIA_QUERY, true);
  const tab = findSideTab(params);
  return { tab, isRoomShown: isWide ? isOpen && (tab ?? "room") === "room" : tab === "room" };
}
