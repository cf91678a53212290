import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components/Modal";

import styles from "./dialog.module.css";
import iconButton from "./icon-button.module.css";
import { Icon } from "./icon.tsx";

export interface DialogProps {
  /** The heading and accessible name. */
  title: string;
  /** Called when the user has closed it. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * An open modal dialog: the focus stays inside, and Escape or a press outside closes it. Render it only when the user
 * asks for it.
 *
 * @selector [data-entering] during the transition
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  return (
    <ModalOverlay
      className={styles.backdrop}
      isDismissable
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Modal className={styles.window}>
        <AriaDialog className={styles.dialog}>
          <div className={styles.header}>
            <Heading slot="title" className={styles.title}>
              {title}
            </Heading>
            <AriaButton
              className={`${iconButton.button} ${styles.close}`}
              aria-label="Close"
              onPress={onClose}
            >
              <Icon name="close" />
            </AriaButton>
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at the end of a dialog. Put the one that confirms last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
