import {
  useEffect,
  useId,
  useRef,
  useState,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
} from "react";

import { isComposing } from "#app/chat/panel/is-submit-key.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { FieldErrors } from "#app/ui/field-errors.tsx";
import { Icon } from "#app/ui/icon.tsx";
import field from "#app/ui/text-field.module.css";
import { TextField } from "#app/ui/text-field.tsx";
import { useHydrated } from "#app/ui/hydration.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import { VALUE_REPLACED_EVENT, setFieldValue } from "#app/writing/autosave/draft-fields.ts";
import { MAX_TAG_LENGTH, MAX_TAGS, splitTags } from "#app/writing/draft.ts";
import styles from "./tags-field.module.css";

export interface TagsFieldProps {
  defaultValue: string;
  errors: string[];
}

/** The story's tags: a text field with commas, which the form sends. With scripts, each tag is shown with its own button. */
export function TagsField({ defaultValue, errors }: TagsFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  const isHydrated = useHydrated();
  return (
    <div ref={box}>
      <div hidden={isHydrated}>
        <TextField
          label="Tags"
          name="tags"
          description={`Up to ${MAX_TAGS}, separated by commas`}
          defaultValue={defaultValue}
          errors={errors}
        />
      </div>
      {isHydrated ? <TagChips box={box} errors={errors} /> : null}
    </div>
  );
}

interface TagChipsProps {
  /** Contains the field that the form sends. */
  box: RefObject<HTMLElement>;
  errors: string[];
}

function TagChips({ box, errors }: TagChipsProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [tags, setTags] = useState<string[]>([]);
  const [status, setStatus] = useState("");
  const [problem, setProblem] = useState<string>();
  const allErrors = problem === undefined ? errors : [problem];
  const isInvalid = allErrors.length > 0;

  useEffect(() => {
    const field = findField(box);
    const readTags = () => setTags(splitTags(field?.value ?? ""));
    readTags();
    field?.addEventListener(VALUE_REPLACED_EVENT, readTags);
    return () => field?.removeEventListener(VALUE_REPLACED_EVENT, readTags);
  }, [box]);

  function change(next: string[]) {
    setTags(next);
    const field = findField(box);
    if (field) setFieldValue(field, next.join(", "));
  }

  /** Adds the typed tags. Those that can't be added stay in the field. */
  function add(typed: string) {
    const added = splitTags(typed).filter((tag) => !tags.includes(tag));
    const valid = added.filter(isShort).slice(0, MAX_TAGS - tags.length);
    const rejected = added.filter((tag) => !valid.includes(tag));
    if (input.current) input.current.value = rejected.join(", ");
    if (rejected.length > 0) setProblem(rejected.every(isShort) ? TOO_MANY_TAGS : TAG_TOO_LONG);
    if (valid.length === 0) return;
    setStatus(`${valid.join(", ")} added`);
    change([...tags, ...valid]);
  }

  function remove(tag: string) {
    setStatus(`${tag} removed`);
    setProblem(undefined);
    change(tags.filter((other) => other !== tag));
    input.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const { value } = event.currentTarget;
    const lastTag = tags.at(-1);
    if (event.key === "Enter" && !isComposing(event)) {
      // Otherwise Enter would submit the form.
      event.preventDefault();
      add(value);
    } else if (event.key === "Backspace" && value === "" && lastTag !== undefined) {
      remove(lastTag);
    }
  }

  function onInput({ currentTarget: { value } }: FormEvent<HTMLInputElement>) {
    setProblem(undefined);
    if (value.includes(",")) add(value);
  }

  return (
    <div className={`${field.field} ${styles.field}`} data-invalid={isInvalid || undefined}>
      <label className={field.label} htmlFor={id}>
        Tags
      </label>
      <div className={styles.box}>
        {tags.length > 0 ? (
          <ul className={styles.tags}>
            {tags.map((tag) => (
              <li key={tag} className={styles.tag}>
                <Bdi>{tag}</Bdi>
                <button type="button" aria-label={`Remove ${tag}`} onClick={() => remove(tag)}>
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        ) : null}
        <input
          ref={input}
          id={id}
          className={styles.input}
          dir="auto"
          placeholder={tags.length < MAX_TAGS ? "Add a tag" : undefined}
          autoComplete="off"
          enterKeyHint="done"
          aria-invalid={isInvalid || undefined}
          aria-describedby={isInvalid ? `${id}-errors` : undefined}
          onKeyDown={onKeyDown}
          onInput={onInput}
          onBlur={({ currentTarget }) => add(currentTarget.value)}
        />
      </div>
      <FieldErrors id={`${id}-errors`} errors={allErrors} />
      <VisuallyHidden>
        <output>{status}</output>
      </VisuallyHidden>
    </div>
  );
}

const TOO_MANY_TAGS = `A story can have up to ${MAX_TAGS} tags.`;
const TAG_TOO_LONG = `A tag can have up to ${MAX_TAG_LENGTH} characters.`;

function isShort(tag: string): boolean {
  return tag.length <= MAX_TAG_LENGTH;
}

/** Returns the field that the form sends. */
function findField(box: RefObject<HTMLElement>): HTMLInputElement | null | undefined {
  return box.current?.querySelector<HTMLInputElement>("input[name=tags]");
}
