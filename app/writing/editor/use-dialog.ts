import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from "react";

export interface DialogControl {
  ref: RefObject<HTMLDialogElement>;
  /** Whether it is open over the page. */
  isOpen: boolean;
  open: () => void;
  close: () => void;
}

/**
 * Controls a `<dialog>`, which keeps the focus inside, closes on Escape and returns the focus. Without scripts the
 * server renders it open, as a part of the page. With scripts, it then opens over the page.
 */
export function useDialog(): DialogControl {
  const ref = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);

  const open = useCallback(() => {
    ref.current?.close();
    ref.current?.showModal();
    setIsOpen(true);
  }, []);
  const close = useCallback(() => ref.current?.close(), []);

  useEffect(() => {
    const { current: dialog } = ref;
    if (!dialog) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    if (dialog.open) open();
    dialog.addEventListener("close", () => setIsOpen(dialog.open), { signal });
    // The content covers the element itself, except for the backdrop.
    const closeOutside = ({ target }: Event) => target === dialog && dialog.close();
    dialog.addEventListener("pointerdown", closeOutside, { signal });
    return () => controller.abort();
  }, [open]);

  return useMemo(() => ({ ref, isOpen, open, close }), [isOpen, open, close]);
}
