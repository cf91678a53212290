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
 * Parts of one subject, of which one is shown. The server sends only that one, so where the others matter
 * without scripts, give each tab an `href` and the page's choice as `selectedKey`.
 */
export function Tabs(props: TabsProps) {
  return <AriaTabs {...props} className={styles.tabs} />;
}

export interface TabListProps extends Omit<
  AriaTabListProps<object>,
  "aria-label" | "className" | "render" | "style"
> {
  /** Names the row, for those who listen to the page. */
  label: string;
}

/** The row of tabs, which scrolls sideways where it is too long. */
export function TabList({ label, ...props }: TabListProps) {
  return <AriaTabList {...props} className={styles.list} aria-label={label} />;
}

export type TabProps = Omit<AriaTabProps, "className" | "render" | "style">;

/**
 * One tab; its `id` is that of its panel.
 *
 * @selector [data-selected] [data-hovered] [data-pressed] [data-disabled]
 */
export function Tab(props: TabProps) {
  return <AriaTab {...props} className={styles.tab} />;
}

export type TabPanelProps = Omit<AriaTabPanelProps, "className" | "render" | "style">;

/** What a tab shows; its `id` is that of its tab. */
export function TabPanel(props: TabPanelProps) {
  return <AriaTabPanel {...props} className={styles.panel} />;
}
