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
import iconButton from "./icon-button.module.css";
import styles from "./menu.module.css";
import popover from "./popover.module.css";

export interface MenuProps extends Omit<
  AriaMenuProps<object>,
  "aria-label" | "aria-labelledby" | "className" | "render" | "slot" | "style"
> {
  /** The accessible name of the button and the menu. */
  label: string;
  /** Shown in the button instead of the label. */
  icon?: ReactNode;
  /**
   * Makes the button 36 px instead of 44, for toolbars with 8 px between buttons. Sets `[data-dense]`.
   *
   * @default false
   */
  isDense?: boolean;
  /** @default 'bottom start' */
  placement?: PopoverProps["placement"];
}

/**
 * A button that opens a list of actions. Hidden without JavaScript, so every action must also be available elsewhere.
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
        className={
          icon ? `${iconButton.button} ${styles.trigger}` : `${button.button} ${styles.trigger}`
        }
        data-variant="quiet"
        data-dense={isDense || undefined}
        data-icon={Boolean(icon) || undefined}
        aria-label={icon ? label : undefined}
      >
        {icon ?? label}
      </AriaButton>
      <Popover className={`${popover.popover} ${styles.popover}`} placement={placement} offset={4}>
        <AriaMenu {...props} aria-label={label} className={styles.menu} />
      </Popover>
    </MenuTrigger>
  );
}

export interface MenuPopoverProps extends Omit<MenuProps, "icon" | "isDense" | "label"> {
  /** The accessible name of the menu. */
  label: string;
  /** The button, or what it belongs to, that the menu opens next to. */
  triggerRef: NonNullable<PopoverProps["triggerRef"]>;
  /** Called when the user has chosen an action, or has closed the menu. */
  onClose: () => void;
}

/** The open menu of a button that is not part of a `Menu`, for lists with many such buttons. */
export function MenuPopover({
  label,
  triggerRef,
  placement = "bottom start",
  onClose,
  ...props
}: MenuPopoverProps) {
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
        {...props}
        aria-label={label}
        className={styles.menu}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just opened it
        autoFocus="first"
        onClose={onClose}
      />
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
 * @selector [data-pressed] [data-disabled]
 */
export function MenuItem({ tone = "plain", ...props }: MenuItemProps) {
  return <AriaMenuItem {...props} className={styles.item} data-tone={tone} />;
}
