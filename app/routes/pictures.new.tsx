import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";

import { requireUser } from "#app/accounts/require-user.server.ts";
import type { FormError } from "#app/http/form.ts";
import { PICTURE_PATH, PICTURE_TYPES } from "#app/http/picture-path.ts";
import { ADDED_PARAM, NEW_PICTURE_PATH } from "#app/pictures/new-picture-path.ts";
import { canUpload } from "#app/pictures/picture-bucket.server.ts";
import { MessagePage } from "#app/site/message-page.tsx";
import { describePage } from "#app/site/page-meta.ts";
import { Button } from "#app/ui/button.tsx";
import { FileField } from "#app/ui/file-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import input from "#app/ui/text-input.module.css";

export { uploadPicture as action } from "#app/pictures/pictures.server.ts";

export const meta: MetaFunction = (args) =>
  describePage(args, { title: "Pictures", canonical: null });

/** A page for browsers without scripts. The editor uploads pictures by itself. */
export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  const added = new URL(args.request.url).searchParams.get(ADDED_PARAM) ?? "";
  return { added: PICTURE_PATH.test(added) ? added : null, canUpload: canUpload(args.context) };
}

/** Uploads a picture without scripts, and says how to put it into a story. */
export default function NewPictureRoute() {
  const { added, canUpload: isEnabled } = useLoaderData<typeof loader>();
  const error = useActionData<FormError>();
  return (
    <MessagePage
      title={added ? "Your picture is stored" : "Pictures"}
      actions={
        <>
          {isEnabled ? (
            <Button type="submit" form="picture">
              Upload
            </Button>
          ) : null}
          <Link to="/create" variant="standalone">
            Back to your story
          </Link>
        </>
      }
    >
      {error ? (
        <MessageBanner severity="error" hint={error.hint}>
          {error.message}
        </MessageBanner>
      ) : null}
      {added ? (
        <>
          <img src={added} alt="What you uploaded" />
          <label htmlFor="markdown">
            Copy this line into your story. Between the brackets, describe the picture for readers
            who can't see it.
          </label>
          <input id="markdown" className={input.input} readOnly dir="ltr" value={`![](${added})`} />
        </>
      ) : null}
      {isEnabled ? (
        // Not Remix's: the action returns here only without scripts.
        <form id="picture" method="post" action={NEW_PICTURE_PATH} encType="multipart/form-data">
          <FileField
            label={added ? "Another picture" : "Picture"}
            name="picture"
            accept={PICTURE_TYPES}
            required
            description="PNG, JPEG, WebP or AVIF, up to 5 MB. What it says about where and how it was taken is removed."
          />
        </form>
      ) : (
        <p>This site doesn't store pictures. In a story, use the address of one on the web.</p>
      )}
    </MessagePage>
  );
}
