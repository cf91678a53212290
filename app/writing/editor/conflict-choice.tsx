import { Link } from "@remix-run/react";

import { formatDateTime, type Locale } from "#app/site/locale/locale.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import type { OpenDraft } from "#app/writing/editor-data.ts";
import { toCreatePath } from "#app/writing/side-tabs.ts";
import styles from "./conflict-choice.module.css";

export interface ConflictChoiceProps {
  /** The draft that another tab or device has saved or deleted. */
  remote: OpenDraft;
  /** The text in the editor; `null` if it is the same. */
  own: Pick<OpenDraft, "title" | "text"> | null;
  locale: Locale;
  now: number;
  /** `undefined` without scripts: then the buttons submit the editor's form. */
  onOverwriteRemote: (() => void) | undefined;
  onReplaceWithRemote: (() => void) | undefined;
}

const DELETED_HINT = "Your text is still here. Restore the draft to continue.";
const CHANGED_HINT =
  "Choose the text to continue with. The other one is saved under Earlier versions.";

/** Offers a choice between the text in the editor and the one saved elsewhere. Replaces nothing until the user chooses. */
export function ConflictChoice(props: ConflictChoiceProps) {
  const { remote, own, locale, now, onOverwriteRemote, onReplaceWithRemote } = props;
  const isDeleted = remote.deletedAt !== null;
  return (
    <div className={styles.conflict}>
      <MessageBanner severity="warn" hint={isDeleted ? DELETED_HINT : CHANGED_HINT}>
        {isDeleted
          ? "This draft was deleted"
          : "This draft was changed in another tab or on another device"}
        {remote.updatedAt === null ? null : ` (${formatDateTime(remote.updatedAt, locale, now)})`}.
      </MessageBanner>
      <div className={styles.buttons}>
        <Button
          type={onOverwriteRemote ? "button" : "submit"}
          name="intent"
          value="save"
          onPress={onOverwriteRemote}
        >
          {isDeleted ? "Restore draft" : "Keep my text"}
        </Button>
        {isDeleted ? (
          <Link to={toCreatePath(null, null, true)}>New story</Link>
        ) : (
          <Button
            type={onReplaceWithRemote ? "button" : "submit"}
            variant="quiet"
            name="intent"
            value="save-version"
            onPress={onReplaceWithRemote}
          >
            Use the other text
          </Button>
        )}
      </div>
      {own ? (
        <div className={styles.texts}>
          <Text draft={own} place="in this editor" label="Your text" />
          <Text draft={remote} place="saved elsewhere" label="The other text" />
        </div>
      ) : null}
    </div>
  );
}

interface TextProps {
  draft: Pick<OpenDraft, "title" | "text">;
  place: string;
  label: string;
}

function Text({ draft: { title, text }, place, label }: TextProps) {
  return (
    <div>
      <p className={styles.caption}>
        <Bdi>{title || "Untitled"}</Bdi>, {place}
      </p>
      <textarea
        className={styles.text}
        dir="auto"
        aria-label={label}
        rows={8}
        readOnly
        value={text}
      />
    </div>
  );
}
