import { Form, useNavigation } from "@remix-run/react";

import { StillTrying } from "#app/accounts/still-trying.tsx";
import { AUTO_FOCUS, SectionError, UidField } from "#app/profile/form-section.tsx";
import type { ImportReport, ProfileActionResult } from "#app/profile/profile-view.ts";
import { Button } from "#app/ui/button.tsx";
import { CardSection } from "#app/ui/card-section.tsx";
import { FileField } from "#app/ui/file-field.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { IMPORT_PATH } from "./data-path.ts";
import styles from "./data.module.css";

export interface ImportDataProps {
  result: ProfileActionResult | undefined;
}

/** The form that brings a downloaded file into this account. */
export function ImportData({ result }: ImportDataProps) {
  const isPending = useNavigation().formData?.get("intent") === "import-data";
  const { banner, report } = result?.form === "import-data" && !isPending ? result : {};
  return (
    <CardSection id="import-heading" heading="Import your data">
      <p>
        Choose a ZIP file that you downloaded here, from this or another account. Your drafts with
        their versions, reading positions, saved stories, followed writers and hidden people come
        back. What you have here stays as it is, and nothing is published or posted.
      </p>
      <SectionError banner={banner} />
      {report ? <Report report={report} /> : null}
      <Form
        method="post"
        action={IMPORT_PATH}
        encType="multipart/form-data"
        className={styles.form}
        preventScrollReset
      >
        <input type="hidden" name="intent" value="import-data" />
        <UidField />
        <FileField label="ZIP file" name="file" accept=".zip,application/zip" required />
        <Button type="submit" isPending={isPending}>
          Import
        </Button>
        <StillTrying isPending={isPending} />
      </Form>
    </CardSection>
  );
}

function Report({ report: { message, details, isUnfinished } }: { report: ImportReport }) {
  return (
    <div {...AUTO_FOCUS}>
      <MessageBanner
        severity={isUnfinished ? "warn" : "success"}
        hint={details.map((text) => (
          <p className={styles.detail} key={text}>
            {text}
          </p>
        ))}
      >
        {message}
      </MessageBanner>
    </div>
  );
}
