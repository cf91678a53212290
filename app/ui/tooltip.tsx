import type { ComponentProps, ReactNode } from "react";
import {
  Focusable,
  Tooltip as AriaTooltip,
  TooltipTrigger,
  type TooltipProps as AriaTooltipProps,
} from "react-aria-components/Tooltip";

import styles from "./tooltip.module.css";

export interface TooltipProps extends Omit<
  AriaTooltipProps,
  "children" | "className" | "isOpen" | "render" | "style" | "triggerRef"
> {
  /** A few words more. Never the only place they are said: nothing shows it by touch, or without scripts. */
  content: ReactNode;
  /** Milliseconds the pointer rests before it shows. By the keyboard it shows at once. @default 600 */
  delay?: number;
  /** What it describes: one thing that takes the focus, its ref and the props it is given. */
  children: ComponentProps<typeof Focusable>["children"];
}

/**
 * A few words about what is pointed at or has the focus. Escape closes it, and the pointer may move onto it.
 *
 * @selector [data-placement] [data-entering] [data-exiting]
 */
export function Tooltip({ content, delay = 600, children, ...props }: TooltipProps) {
  return (
    <TooltipTrigger delay={delay} closeDelay={200}>
      <Focusable>{children}</Focusable>
      <AriaTooltip offset={8} {...props} className={styles.tooltip}>
        {content}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
