import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuTrigger,
  Popover,
  type MenuItemProps as AriaMenuItemProps,
  type MenuProps as AriaMenuProps,
  type PopoverProps,
} from "react-aria-components/Menu";

import button from "./button.module.css";
import styles from "./menu.module.css";

export interface MenuProps extends Omit<
  AriaMenuProps<object>,
  "aria-label" | "aria-labelledby" | "className" | "render" | "slot" | "style"
> {
  /** Names the key that opens it, and the menu. */
  label: string;
  /** Stands on the key instead of the label. */
  icon?: ReactNode;
  /**
   * Whether the key is 36 px instead of 44, for bars that leave 8 px between keys. Sets `[data-dense]`.
   *
   * @default false
   */
  isDense?: boolean;
  /** @default 'bottom start' */
  placement?: PopoverProps["placement"];
}

/**
 * A key and the list of acts it opens. Without scripts the key is not shown, because it could do nothing:
 * what the menu does needs a place on a page too.
 */
export function Menu({
  label,
  icon,
  isDense = false,
  placement = "bottom start",
  ...props
}: MenuProps) {
  return (
    <MenuTrigger>
      <AriaButton
        className={icon ? styles.iconButton : `${button.button} ${styles.trigger}`}
        data-variant="quiet"
        data-dense={isDense || undefined}
        aria-label={icon ? label : undefined}
      >
        {icon ?? label}
      </AriaButton>
      <Popover className={styles.popover} placement={placement} offset={4}>
        <AriaMenu {...props} aria-label={label} className={styles.menu} />
      </Popover>
    </MenuTrigger>
  );
}

export interface MenuItemProps extends Omit<AriaMenuItemProps, "className" | "render" | "style"> {
  /**
   * Sets `[data-tone]`: `danger` for an act that takes something away.
   *
   * @default 'plain'
   */
  tone?: "plain" | "danger";
}

/**
 * One act of a menu, or with `href` a way to another page. Set `textValue` if its children are not words.
 *
 * @selector [data-focused] the pointer or the keyboard is on it
 * @selector [data-pressed] [data-disabled]
 */
export function MenuItem({ tone = "plain", ...props }: MenuItemProps) {
  return <AriaMenuItem {...props} className={styles.item} data-tone={tone} />;
}
