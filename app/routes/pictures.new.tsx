import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";

import { requireUser } from "#app/accounts/require-user.server.ts";
import type { FormError } from "#app/http/form.ts";
import { PICTURE_PATH } from "#app/http/picture-path.ts";
import { ADDED_PARAM } from "#app/pictures/new-picture-path.ts";
import { canUpload } from "#app/pictures/picture-bucket.server.ts";
import { PictureScreen } from "#app/pictures/picture-screen.tsx";
import { describePage } from "#app/site/page-meta.ts";

export { uploadPicture as action } from "#app/pictures/pictures.server.ts";

export const meta: MetaFunction = (args) =>
  describePage(args, { title: "Pictures", canonical: null });

/** A page for browsers without scripts. The editor uploads pictures by itself. */
export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  const added = new URL(args.request.url).searchParams.get(ADDED_PARAM) ?? "";
  return { added: PICTURE_PATH.test(added) ? added : null, canUpload: canUpload(args.context) };
}

export default function PicturesRoute() {
  return <PictureScreen {...useLoaderData<typeof loader>()} error={useActionData<FormError>()} />;
}
