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
import { Icon } from "./icon.tsx";

export interface DialogTriggerProps {
  /** What the key says that opens it. */
  label: ReactNode;
  /**
   * Sets `[data-variant]` of that key.
   *
   * @default 'quiet'
   */
  variant?: "primary" | "quiet";
  isDisabled?: boolean;
  /** The `Dialog`. */
  children: ReactNode;
}

/**
 * A key and the dialog it opens. Without scripts the key is not shown, because it could do nothing: what
 * the dialog does needs a page of its own too.
 */
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
  /** Names it, and stands above it. */
  title: string;
  /**
   * `alertdialog` for a question that must be answered: it has no close key, and a press outside does
   * nothing. Escape always means no.
   *
   * @default 'dialog'
   */
  role?: "dialog" | "alertdialog";
  /** For one that a menu item opens. Only ever set it on a press. */
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

/**
 * A window over the page, which waits behind it: the focus stays inside, Escape closes it, and then the
 * focus goes back to where it was. Children may be a function that is given `close`.
 *
 * @selector [data-entering] [data-exiting] while it comes and goes
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
                  <AriaButton className={styles.close} aria-label="Close" onPress={close}>
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

/** The row of keys at the end of a dialog, the one that goes on last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
