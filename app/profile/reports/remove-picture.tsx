import { Form, useNavigation, useSearchParams } from "@remix-run/react";

import { MAX_REASON_LENGTH } from "#app/chat/moderation/mute.ts";
import { getFormResult, UidField } from "#app/profile/form-section.tsx";
import type { ProfileActionResult } from "#app/profile/profile-view.ts";
import { Button } from "#app/ui/button.tsx";
import { CardSection } from "#app/ui/card-section.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { toReportsPath } from "./reports-view.ts";

export interface RemovePictureProps {
  result: ProfileActionResult | undefined;
}

/** The form with which operators remove an uploaded picture. */
export function RemovePicture({ result }: RemovePictureProps) {
  const [params] = useSearchParams();
  const { getErrorProps, values } = getFormResult(result, "moderate");
  const isOwn = Boolean(values?.picture);
  const isPending = useNavigation().formData?.get("action") === "picture";
  const getProps = (name: "picture" | "reason") =>
    isOwn ? { defaultValue: values?.[name], ...getErrorProps(name) } : {};
  return (
    <CardSection id="remove-picture" heading="Remove a picture">
      <p>Nobody can see it here any more, and its owner can't upload it again.</p>
      <Form method="post" action={toReportsPath(params)} noValidate preventScrollReset>
        <input type="hidden" name="intent" value="moderate" />
        <UidField />
        <TextField
          label="Address of the picture"
          name="picture"
          autoComplete="off"
          aria-required
          {...getProps("picture")}
        />
        <TextField
          label="Why it is removed"
          name="reason"
          maxLength={MAX_REASON_LENGTH}
          autoComplete="off"
          aria-required
          {...getProps("reason")}
        />
        <Button type="submit" name="action" value="picture" variant="danger" isPending={isPending}>
          Remove picture
        </Button>
      </Form>
    </CardSection>
  );
}
