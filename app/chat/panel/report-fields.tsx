import { useId, type ComponentProps } from "react";

import {
  MAX_DETAILS_LENGTH,
  readReportKind,
  REPORT_KINDS,
  type ReportKind,
} from "#app/chat/report.ts";
import { RadioGroup } from "#app/ui/radio-group.tsx";
import { useTypedText } from "#app/ui/text-area.ts";
import styles from "./report-fields.module.css";

const KINDS = Object.entries(REPORT_KINDS) as [ReportKind, string][]; // the entries of a constant
const OPTIONS = KINDS.map(([value, label]) => ({ value, label }));

export interface ReportFieldsProps {
  /** What operators see a copy of. @default the message */
  copied?: string;
  /** What was submitted before. */
  kind?: string | undefined;
  details?: string | undefined;
}

/** The fields of a report: the reason and details. */
export function ReportFields({ copied = "the message", kind, details = "" }: ReportFieldsProps) {
  const typed = useTypedText("textarea[name=details]", details);
  return (
    <>
      <RadioGroup
        label="Why are you reporting it?"
        name="kind"
        options={OPTIONS}
        defaultValue={readReportKind(kind)}
      />
      <TextArea
        label="Details (optional)"
        name="details"
        maxLength={MAX_DETAILS_LENGTH}
        defaultValue={typed}
      />
      <p className={styles.note}>Only our team sees your report and a copy of {copied}.</p>
    </>
  );
}

/** A text area with its label, as two items of a grid. */
export function TextArea({ label, ...props }: ComponentProps<"textarea"> & { label: string }) {
  const id = useId();
  return (
    <>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <textarea id={id} className={styles.textArea} dir="auto" rows={3} {...props} />
    </>
  );
}
