import { useEffect, useRef, useState, type RefObject } from "react";

import { uploadPicture } from "#app/pictures/upload-picture.client.ts";
import { announce } from "#app/ui/announcer.tsx";
import { Button } from "#app/ui/button.tsx";
import editorStyles from "#app/writing/editor/rich-editor.module.css";
import type { Picture } from "#app/writing/editor/story-addresses.ts";
import type { StoryEditor } from "#app/writing/editor/story-editor.ts";
import {
  createAreaPlaces,
  type PicturePlace,
  type PicturePlaces,
  type Place,
} from "./area-places.ts";
import { PicturePanel } from "./picture-panel.tsx";
import styles from "./story-pictures.module.css";

/** In pixels: twice the width of a story's column. */
const LONGEST_SIDE = 1600;

const NO_BUCKET =
  "This site doesn't store pictures. To add one that is on the web, press Picture and enter its address.";

/** Files that were dropped or pasted. */
export interface DroppedFiles {
  files: File[];
  place: Place;
}

export interface StoryPicturesProps {
  areaRef: RefObject<HTMLTextAreaElement>;
  /** The rich editor, if it is shown. */
  story: StoryEditor | null;
  /** Whether this site stores pictures. */
  canUpload: boolean;
  /** Everything that was dropped since the page was loaded. */
  dropped: DroppedFiles[];
  isPanelOpen: boolean;
  /** Whether there is another row at this place. */
  isCovered: boolean;
  onPanel: (isOpen: boolean) => void;
}

interface Upload {
  id: symbol;
  file: File;
  alt: string;
  place: PicturePlace;
  /** Why it failed, or `null`. */
  message: string | null;
}

/** The panel that adds a picture to the story, and a row that says what becomes of those that are uploaded. */
export function StoryPictures(props: StoryPicturesProps) {
  const { areaRef, story, canUpload, dropped, isPanelOpen, isCovered, onPanel } = props;
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [undescribed, setUndescribed] = useState<{ src: string; name: string } | null>(null);
  const [note, setNote] = useState("");
  const [places, setPlaces] = useState<PicturePlaces | null>(null);
  const handled = useRef(0);
  const controller = useRef(new AbortController());
  const queue = useRef(Promise.resolve());

  useEffect(() => {
    const { current: area } = areaRef;
    if (!area) return undefined;
    let isCurrent = true;
    void createPlaces(area, story).then((created) => isCurrent && setPlaces(created));
    return () => {
      isCurrent = false;
    };
  }, [areaRef, story]);

  useEffect(() => () => controller.current.abort(), []);

  useEffect(() => {
    if (!places) return;
    const [first, ...others] = dropped.slice(handled.current);
    handled.current = dropped.length;
    if (!first) return;
    if (!canUpload) {
      setNote(NO_BUCKET);
      announce(NO_BUCKET);
      return;
    }
    for (const { files, place } of [first, ...others]) {
      for (const file of files) add(file, "", place);
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `add` is new at every render
  }, [places, dropped]);

  function add(file: File, alt: string, at: Place) {
    if (!places) return;
    const place = places.reserve(file.name, at);
    const upload: Upload = { id: Symbol(file.name), file, alt, place, message: null };
    setUploads((list) => [...list, upload]);
    announce(`Uploading ${file.name}.`);
    start(upload);
  }

  /** Uploads one picture after the other, so that a phone does not have several in its memory. */
  function start(upload: Upload) {
    const { signal } = controller.current;
    queue.current = queue.current.then(() => send(upload, signal));
  }

  async function send(upload: Upload, signal: AbortSignal) {
    const { file, alt, place } = upload;
    const { current: area } = areaRef;
    if (!area || signal.aborted) return;
    const options = { longestSide: LONGEST_SIDE, form: area.form, signal };
    const result = await uploadPicture(file, options);
    if (signal.aborted) return;
    if (result.status === "error") {
      setUploads((list) =>
        list.map((one) => (one.id === upload.id ? { ...one, message: result.message } : one)),
      );
      return;
    }
    const picture = { src: result.address, alt };
    // The user may have changed to the other editor.
    if (!place.fill(picture)) createAreaPlaces(area).reserve(file.name, {}).fill(picture);
    remove(upload);
    announce(`${file.name} is in your story.`);
    askForDescription(picture, file.name);
  }

  function remove(upload: Upload) {
    upload.place.remove();
    setUploads((list) => list.filter(({ id }) => id !== upload.id));
  }

  function retry(upload: Upload) {
    setUploads((list) =>
      list.map((one) => (one.id === upload.id ? { ...one, message: null } : one)),
    );
    start(upload);
    places?.focus();
  }

  function cancel() {
    controller.current.abort();
    controller.current = new AbortController();
    for (const upload of running) remove(upload);
    announce("Upload cancelled.");
    places?.focus();
  }

  function askForDescription({ src, alt }: Picture, name: string) {
    if (alt.trim() === "") setUndescribed({ src, name });
  }

  function describe() {
    if (undescribed && places?.select(undescribed.src)) onPanel(true);
    setUndescribed(null);
  }

  function closePanel() {
    onPanel(false);
    places?.focus();
  }

  function dismiss(then: () => void) {
    then();
    places?.focus();
  }

  if (isPanelOpen && places) {
    return (
      <PicturePanel
        picture={places.findSelected()}
        canUpload={canUpload}
        onSet={(picture) => {
          places.set(picture);
          onPanel(false);
          askForDescription(picture, "The picture");
        }}
        onUpload={(file, alt) => {
          closePanel();
          add(file, alt, {});
        }}
        onCancel={closePanel}
      />
    );
  }

  const running = uploads.filter(({ message }) => message === null);
  const failed = uploads.filter(({ message }) => message !== null);
  if (isCovered || (uploads.length === 0 && !undescribed && note === "")) return null;
  return (
    <div className={`${editorStyles.linkRow} ${styles.notes}`} data-picture-row>
      {running.length > 0 ? (
        <div className={styles.note}>
          <span className={styles.progress} aria-hidden="true" />
          <p>{describeUploads(running)}</p>
          <Button variant="quiet" onPress={cancel}>
            Cancel
          </Button>
        </div>
      ) : null}
      {failed.map((upload) => (
        <div key={upload.file.name} className={styles.note}>
          <p role="alert" className={styles.failed}>
            {upload.file.name}: {upload.message}
          </p>
          <Button variant="quiet" onPress={() => retry(upload)}>
            Try again
          </Button>
          <Button variant="quiet" onPress={() => dismiss(() => remove(upload))}>
            Leave it out
          </Button>
        </div>
      ))}
      {undescribed && running.length === 0 ? (
        <div className={styles.note}>
          <output>
            {undescribed.name} has no description. Readers who can't see it won't know what it
            shows.
          </output>
          <Button variant="quiet" onPress={describe}>
            Describe it
          </Button>
          <Button variant="quiet" onPress={() => dismiss(() => setUndescribed(null))}>
            OK
          </Button>
        </div>
      ) : null}
      {note ? (
        <div className={styles.note}>
          <p>{note}</p>
          <Button variant="quiet" onPress={() => dismiss(() => setNote(""))}>
            OK
          </Button>
        </div>
      ) : null}
    </div>
  );
}

async function createPlaces(area: HTMLTextAreaElement, story: StoryEditor | null) {
  if (!story) return createAreaPlaces(area);
  const { createEditorPlaces } = await import("./editor-places.client.ts");
  return createEditorPlaces(story.view);
}

function describeUploads(uploads: readonly Upload[]): string {
  const [first, ...others] = uploads;
  return others.length === 0
    ? `Uploading ${first?.file.name ?? ""}…`
    : `Uploading ${uploads.length} pictures…`;
}
