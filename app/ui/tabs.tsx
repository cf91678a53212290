import {
  Tab as AriaTab,
  TabList as AriaTabList,
  TabPanel as AriaTabPanel,
  Tabs as AriaTabs,
  type TabListProps as AriaTabListProps,
  type TabPanelProps as AriaTabPanelProps,
  type TabProps as AriaTabProps,
  type TabsProps as AriaTabsProps,
} from "react-aria-components/Tabs";

import styles from "./tabs.module.css";

export type TabsProps = Omit<AriaTabsProps, "className" | "orientation" | "render" | "style">;

/**
 * Tabs with panels, one shown at a time. The server renders only the selected panel: if the others must be reachable
 * without JavaScript, give each tab an `href` and pass `selectedKey`.
 */
export function Tabs(props: TabsProps) {
  return <AriaTabs {...props} className={styles.tabs} />;
}

export interface TabListProps extends Omit<
  AriaTabListProps<object>,
  "aria-label" | "className" | "render" | "style"
> {
  /** The accessible name of the tabs. */
  label: string;
}

/** The row of tabs. Scrolls sideways if too long. */
export function TabList({ label, ...props }: TabListProps) {
  return <AriaTabList {...props} className={styles.list} aria-label={label} />;
}

export type TabProps = Omit<AriaTabProps, "className" | "render" | "style">;

/**
 * A tab. Its `id` is also the `id` of its panel.
 *
 * @selector [data-selected] [data-hovered] [data-pressed] [data-disabled]
 */
export function Tab(props: TabProps) {
  return <AriaTab {...props} className={styles.tab} />;
}

export type TabPanelProps = Omit<AriaTabPanelProps, "className" | "render" | "style">;

/** The content of the tab with the same `id`. */
export function TabPanel(props: TabPanelProps) {
  return <AriaTabPanel {...props} className={styles.panel} />;
}
