import { forwardRef, type ComponentPropsWithoutRef } from "react";

import styles from "./icon-button.module.css";
import { Icon, type IconName } from "./icon.tsx";

export interface IconButtonProps extends Omit<ComponentPropsWithoutRef<"button">, "children"> {
  icon: IconName;
  /** The accessible name: what the button does. */
  label: string;
}

/** A button with an icon and no text. Links and summaries can look the same with the style sheet's class. */
export const IconButton = forwardRef<HTMLButtonElement, IconButtonProps>(function IconButton(
  { icon, label, className, ...props },
  ref,
) {
  return (
    <button
      type="button"
      {...props}
      ref={ref}
      className={[styles.button, className].filter(Boolean).join(" ")}
      aria-label={label}
    >
      <Icon name={icon} />
    </button>
  );
});
