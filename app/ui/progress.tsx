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
  /** What goes on, as in "Saving the picture". */
  label: string;
  /** How far it has come. Without it nobody knows, and a ring stands for the bar. */
  value?: number;
}

/**
 * How far something has come, as a bar and in words; or, when nobody knows, that it goes on.
 *
 * @selector :not([aria-valuenow]) nobody knows
 */
export function Progress({ label, value, valueLabel, ...props }: ProgressProps) {
  const { minValue = 0, maxValue = 100 } = props;
  const isBusy = value === undefined;
  const share = isBusy ? 0 : Math.round(((value - minValue) / (maxValue - minValue || 1)) * 100);
  // In our own words: React Aria's follow the browser's language, which is not that of the page.
  const words = valueLabel ?? `${Math.min(100, Math.max(0, share))}%`;

  return (
    <AriaProgressBar
      {...props}
      className={styles.progress}
      value={value}
      valueLabel={isBusy ? undefined : words}
      isIndeterminate={isBusy}
    >
      {({ percentage = 0 }) => (
        <>
          <div className={styles.text}>
            {isBusy ? <span className={button.spinner} aria-hidden="true" /> : null}
            <Label className={styles.label}>{label}</Label>
            {isBusy ? null : <span className={styles.value}>{words}</span>}
          </div>
          {isBusy ? null : (
            <div className={styles.track}>
              <div className={styles.bar} style={{ width: `${percentage}%` }} />
            </div>
          )}
        </>
      )}
    </AriaProgressBar>
  );
}
