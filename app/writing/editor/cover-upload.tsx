import { useEffect, useRef, useState } from "react";

import { PICTURE_TYPES } from "#app/http/picture-path.ts";
import { FileField } from "#app/ui/file-field.tsx";
import { COVER_FILE_FIELD } from "#app/writing/draft.ts";

export interface CoverUploadProps {
  isHydrated: boolean;
  /** Called with the path of the picture. */
  onUploaded: (path: string) => void;
}

/** In pixels: twice the height of the largest cover. */
const LONGEST_SIDE = 900;

const NOT_LOADED = "No connection. Try again when you're back online.";

/** The field for a picture of the cover. Uploads it at once; without scripts, the form sends it. */
export function CoverUpload({ isHydrated, onUploaded }: CoverUploadProps) {
  const [note, setNote] = useState("");
  const controller = useRef<AbortController>();

  // A later draft has a field of its own.
  useEffect(() => () => controller.current?.abort(), []);

  async function upload(input: HTMLInputElement) {
    const file = input.files?.[0];
    if (!file) return;
    controller.current?.abort();
    controller.current = new AbortController();
    const { signal } = controller.current;
    const options = { longestSide: LONGEST_SIDE, form: input.form, signal };
    setNote("Uploading…");
    const loading = import("#app/pictures/upload-picture.client.ts");
    const result = await loading.then(
      ({ uploadPicture }) => uploadPicture(file, options),
      () => ({ status: "error", message: NOT_LOADED }) as const,
    );
    if (signal.aborted) return;
    input.value = "";
    setNote(result.status === "ok" ? "This picture is the cover now." : result.message);
    if (result.status === "ok") onUploaded(result.address);
  }

  return (
    <>
      <FileField
        label="Picture of the cover"
        name={isHydrated ? undefined : COVER_FILE_FIELD}
        accept={PICTURE_TYPES}
        description="PNG, JPEG, WebP or AVIF, up to 5 MB; two thirds as wide as high."
        onChange={({ target }) => void upload(target)}
      />
      <output>{note}</output>
    </>
  );
}
