import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import {
  Dialog as AriaDialog,
  DialogTrigger as AriaDialogTrigger,
  Heading,
  Modal,
  ModalOverlay,
  type DialogProps as AriaDialogProps,
} from "react-aria-components/Modal";

import button from "./button.module.css";
import styles from "./dialog.module.css";
import iconButton from "./icon-button.module.css";
import { Icon } from "./icon.tsx";

export interface DialogTriggerProps {
  /** The label of the button. */
  label: ReactNode;
  /**
   * Sets `[data-variant]` of the button.
   *
   * @default 'quiet'
   */
  variant?: "primary" | "quiet";
  isDisabled?: boolean;
  /** The `Dialog`. */
  children: ReactNode;
}

/** A button that opens a dialog. Hidden without JavaScript, so the dialog's content must also be available elsewhere. */
export function DialogTrigger({
  label,
  variant = "quiet",
  isDisabled = false,
  children,
}: DialogTriggerProps) {
  return (
    <AriaDialogTrigger>
      <AriaButton
        className={`${button.button} ${styles.trigger}`}
        data-variant={variant}
        isDisabled={isDisabled}
      >
        {label}
      </AriaButton>
      {children}
    </AriaDialogTrigger>
  );
}

export interface DialogProps extends Omit<
  AriaDialogProps,
  "aria-label" | "aria-labelledby" | "className" | "render" | "slot" | "style"
> {
  /** The heading and accessible name. */
  title: string;
  /**
   * `alertdialog` for a question that must be answered: it has no close button, and a press outside does nothing.
   * Escape still cancels.
   *
   * @default 'dialog'
   */
  role?: "dialog" | "alertdialog";
  /** Makes the dialog controlled, for one that a menu item opens. Set it only when the user asks for the dialog. */
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

/**
 * A modal dialog: the focus stays inside, Escape closes it and restores the focus. Children may be a function that
 * receives `close`.
 *
 * @selector [data-entering] [data-exiting] during the transitions
 */
export function Dialog({
  title,
  role = "dialog",
  isOpen,
  onOpenChange,
  children,
  ...props
}: DialogProps) {
  const isQuestion = role === "alertdialog";
  return (
    <ModalOverlay
      className={styles.backdrop}
      isDismissable={!isQuestion}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      <Modal className={styles.window}>
        <AriaDialog {...props} role={role} className={styles.dialog}>
          {({ close }) => (
            <>
              <div className={styles.header}>
                <Heading slot="title" className={styles.title}>
                  {title}
                </Heading>
                {isQuestion ? null : (
                  <AriaButton
                    className={`${iconButton.button} ${styles.close}`}
                    aria-label="Close"
                    onPress={close}
                  >
                    <Icon name="close" />
                  </AriaButton>
                )}
              </div>
              {typeof children === "function" ? children({ close }) : children}
            </>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at the end of a dialog. Put the one that confirms last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
