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
  /** Supplementary text only: touch screens and pages without JavaScript never show it. */
  content: ReactNode;
  /** Milliseconds of hovering before it shows. On keyboard focus it shows at once. @default 600 */
  delay?: number;
  /** One focusable element that accepts a ref and DOM props. */
  children: ComponentProps<typeof Focusable>["children"];
}

/**
 * Describes an element while it is hovered or focused. Escape closes it; the pointer may move onto it.
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
