import { Label } from "react-aria-components/Label";
import {
  ProgressBar as AriaProgressBar,
  type ProgressBarProps as AriaProgressBarProps,
} from "react-aria-components/ProgressBar";

import button from "./button.module.css";
import styles from "./progress.module.css";

export interface ProgressProps extends Omit<
  AriaProgressBarProps,
  "children" | "className" | "formatOptions" | "isIndeterminate" | "render" | "style" | "value"
> {
  /** The action in progress, as in "Saving the picture". */
  label: string;
  /** Without a value the progress is indeterminate, shown as a spinner. */
  value?: number;
}

/**
 * Progress as a bar with its value as text, or as a spinner if indeterminate.
 *
 * @selector :not([aria-valuenow]) indeterminate
 */
export function Progress({ label, value, valueLabel, ...props }: ProgressProps) {
  const { minValue = 0, maxValue = 100 } = props;
  const isIndeterminate = value === undefined;
  const percent = isIndeterminate
    ? 0
    : Math.round(((value - minValue) / (maxValue - minValue || 1)) * 100);
  // React Aria would format the value in the browser's language, but the page is English.
  const text = valueLabel ?? `${Math.min(100, Math.max(0, percent))}%`;

  return (
    <AriaProgressBar
      {...props}
      className={styles.progress}
      value={value}
      valueLabel={isIndeterminate ? undefined : text}
      isIndeterminate={isIndeterminate}
    >
      {({ percentage = 0 }) => (
        <>
          <div className={styles.header}>
            {isIndeterminate ? <span className={button.spinner} aria-hidden="true" /> : null}
            <Label className={styles.label}>{label}</Label>
            {isIndeterminate ? null : <span className={styles.value}>{text}</span>}
          </div>
          {isIndeterminate ? null : (
            <div className={styles.track}>
              <div className={styles.bar} style={{ width: `${percentage}%` }} />
            </div>
          )}
        </>
      )}
    </AriaProgressBar>
  );
}
