import type { ReactNode } from "react";
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  Popover,
  type MenuItemProps as AriaMenuItemProps,
  type PopoverProps,
} from "react-aria-components/Menu";

import styles from "./menu.module.css";
import popover from "./popover.module.css";

export interface MenuPopoverProps {
  /** The accessible name of the menu. */
  label: string;
  placement: PopoverProps["placement"];
  /** The button, or what it belongs to, that the menu opens next to. */
  triggerRef: NonNullable<PopoverProps["triggerRef"]>;
  /** Called when the user has chosen an action, or has closed the menu. */
  onClose: () => void;
  /** `MenuItem`s. */
  children: ReactNode;
}

/** An open menu. */
export function MenuPopover({ label, placement, triggerRef, onClose, children }: MenuPopoverProps) {
  return (
    <Popover
      isOpen
      trigger="MenuTrigger"
      aria-label={label}
      className={`${popover.popover} ${styles.popover}`}
      triggerRef={triggerRef}
      placement={placement}
      offset={4}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <AriaMenu
        aria-label={label}
        className={styles.menu}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just opened it
        autoFocus="first"
        onClose={onClose}
      >
        {children}
      </AriaMenu>
    </Popover>
  );
}

export interface MenuItemProps extends Omit<AriaMenuItemProps, "className" | "render" | "style"> {
  /**
   * Sets `[data-tone]`. Use `danger` for actions that delete something.
   *
   * @default 'plain'
   */
  tone?: "plain" | "danger";
}

/**
 * An action of a menu, or with `href` a link. Set `textValue` if the children aren't plain text.
 *
 * @selector [data-focused] hovered, or focused by keyboard
 * @selector [data-pressed]
 */
export function MenuItem({ tone = "plain", ...props }: MenuItemProps) {
  return <AriaMenuItem {...props} className={styles.item} data-tone={tone} />;
}
