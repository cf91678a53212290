import { useId } from "react";

import {
  MAX_DETAILS_LENGTH,
  readReportKind,
  REPORT_KINDS,
  type ReportKind,
} from "#app/chat/report.ts";
import { RadioGroup } from "#app/ui/radio-group.tsx";
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
export function ReportFields({ copied = "the message", kind, details }: ReportFieldsProps) {
  const detailsId = useId();
  return (
    <>
      <RadioGroup
        label="Why are you reporting it?"
        name="kind"
        options={OPTIONS}
        defaultValue={readReportKind(kind)}
      />
      <label className={styles.label} htmlFor={detailsId}>
        Details (optional)
      </label>
      <textarea
        id={detailsId}
        className={styles.textArea}
        name="details"
        dir="auto"
        rows={3}
        maxLength={MAX_DETAILS_LENGTH}
        defaultValue={details}
      />
      <p className={styles.note}>Only our team sees your report and a copy of {copied}.</p>
    </>
  );
}
