import { Form, useNavigation, type FormProps } from "@remix-run/react";
import {
  createContext,
  forwardRef,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
  type ReactNode,
} from "react";

import { StillTrying } from "#app/accounts/still-trying.tsx";
import type { FlashText } from "#app/site/flash/flash.ts";
import { AUTO_FOCUS } from "#app/site/form-error-banner.tsx";
import { Button, type ButtonProps } from "#app/ui/button.tsx";
import { useFocusFirstError } from "#app/ui/field-errors.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./form-section.module.css";
import {
  toFlashId,
  toSection,
  toTabPath,
  type ProfileActionResult,
  type ProfileFormName,
  type ProfileSection,
  type ProfileTab,
} from "./profile-view.ts";

export interface FormSectionProps {
  heading: string;
  /** What the form does, in a sentence or two. */
  text?: ReactNode;
  form: ProfileFormName;
  button: string;
  variant?: ButtonProps["variant"];
  /** Whether it has a field for a file. @default false */
  hasFile?: boolean;
  /** Called with the form's values before it unmounts. */
  onUnmount?: (form: FormData) => void;
  children?: ReactNode;
}

/** One of the profile's forms: heading, text, fields and the error or success of its last submit. */
export function FormSection({
  heading,
  text,
  form,
  button,
  variant,
  hasFile = false,
  onUnmount,
  children,
}: FormSectionProps) {
  const headingId = useId();
  // The Google section shows the flash of its two forms, because after a submit each form replaces the other.
  const section = toSection(form);
  const formRef = useRef<HTMLFormElement>(null);
  const { isPending, result } = useProfileForm(form);
  useFocusFirstError(formRef, result?.fieldErrors);
  // Otherwise the first invalid field gets the focus.
  const isHeadingFocused = result !== undefined && !result.fieldErrors;
  const { flash } = useContext(ProfileContext);
  const saved = flash?.section === section ? flash.text : null;
  const isSubmitted = useRef(false);
  /** Whether the user has typed since the form was submitted. */
  const hasTyped = useRef(false);

  useEffect(() => {
    // `isPending` may never be `true`: React skips that state if the response comes first.
    if (isPending || !isSubmitted.current) return;
    isSubmitted.current = false;
    // The page stays after a success, so passwords are cleared and fields show the saved values.
    if (saved && !hasTyped.current) formRef.current?.reset();
  }, [isPending, saved]);

  const latestOnUnmount = useRef(onUnmount);
  useEffect(() => {
    latestOnUnmount.current = onUnmount;
  });
  useEffect(() => {
    const form = formRef.current;
    return () => {
      if (form) latestOnUnmount.current?.(new FormData(form));
    };
  }, []);

  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <h2 className={styles.heading} id={headingId} {...(isHeadingFocused ? AUTO_FOCUS : {})}>
        {heading}
      </h2>
      {text ? <div className={styles.text}>{text}</div> : null}
      {result?.banner && !isPending ? (
        <MessageBanner severity="error" hint={result.banner.hint}>
          {result.banner.message}
        </MessageBanner>
      ) : null}
      <ProfileForm
        ref={formRef}
        form={form}
        encType={hasFile ? "multipart/form-data" : undefined}
        noValidate
        className={styles.form}
        onInput={() => {
          hasTyped.current = true;
        }}
        onSubmit={() => {
          isSubmitted.current = true;
          hasTyped.current = false;
        }}
      >
        {children}
        <div className={styles.submit}>
          <Button className={styles.button} type="submit" variant={variant} isPending={isPending}>
            {button}
          </Button>
          <StillTrying isPending={isPending} />
          {section === form ? <SectionFlash section={section} isPending={isPending} /> : null}
        </div>
      </ProfileForm>
    </section>
  );
}

export interface ProfileContextValue {
  /** The user whose profile the page shows. */
  uid: string;
  /** The open tab. */
  tab: ProfileTab;
  /** The flash of the last submit and its section, or `null`. */
  flash: { text: FlashText; section: ProfileSection } | null;
  /** The result of the last submit of any form. */
  result: ProfileActionResult | undefined;
}

export const ProfileContext = createContext<ProfileContextValue>({
  uid: "",
  tab: "name",
  flash: null,
  result: undefined,
});

/** Returns whether a form is being submitted, and the result of its last submit. */
export function useProfileForm(form: ProfileFormName) {
  const last = useContext(ProfileContext).result;
  const result = last?.form === form ? last : undefined;
  return {
    isPending: useNavigation().formData?.get("intent") === form,
    result,
    /** Returns the props that show a field's errors. Browsers without scripts focus the first field that has some. */
    getErrorProps: (name: string): { errors: string[]; autoFocus: boolean } => {
      const errors = result?.fieldErrors?.[name] ?? [];
      return { errors, autoFocus: errors.length > 0 };
    },
  };
}

export interface ProfileFormProps extends FormProps {
  form: ProfileFormName;
}

/**
 * Posts a form to the open tab, if it has no other `action`. Tells the action which form it is, and whose page it is on:
 * another user may sign in from another tab meanwhile.
 */
export const ProfileForm = forwardRef<HTMLFormElement, ProfileFormProps>(function ProfileForm(
  { form, children, ...props },
  ref,
) {
  const { uid, tab } = useContext(ProfileContext);
  return (
    <Form ref={ref} method="post" action={toTabPath(tab)} preventScrollReset {...props}>
      <input type="hidden" name="intent" value={form} />
      <input type="hidden" name="uid" value={uid} />
      {children}
    </Form>
  );
});

/** Says that a form has text that the user typed earlier and did not save. */
export function UnsavedBanner() {
  return (
    <MessageBanner className={styles.unsaved} hint="It isn't saved yet.">
      What you typed is still here.
    </MessageBanner>
  );
}

/** How long the flash of a switch or a small button is shown. */
export const FLASH_LIFE_MS = 6000;

interface SectionFlashProps {
  section: ProfileSection;
  /** Whether the form is being submitted again. */
  isPending: boolean;
  /** Milliseconds until it disappears. @default never */
  life?: number;
}

/** Shows a flash next to the form's button. The output is rendered even when empty, so that screen readers announce it. */
export function SectionFlash({ section, isPending, life }: SectionFlashProps) {
  const current = useContext(ProfileContext).flash;
  const [isOver, setIsOver] = useState(false);
  const flash = current?.section === section && !isPending ? current.text : undefined;
  const text = isOver ? undefined : flash;
  const output = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    // The flash may be outside of the window.
    if (text) output.current?.scrollIntoView({ block: "nearest" });
  }, [text]);
  useEffect(() => {
    if (!flash || life === undefined) return undefined;
    const timer = setTimeout(() => setIsOver(true), life);
    return () => {
      clearTimeout(timer);
      setIsOver(false);
    };
  }, [flash, life]);

  return (
    <output ref={output} className={styles.flash} id={toFlashId(section)}>
      {text ? (
        <span className={styles.flashText}>
          <Icon name="success" className={styles.icon} />
          <span>
            <span>{text.message}</span>
            {text.hint ? <span className={styles.hint}>{text.hint}</span> : null}
          </span>
        </span>
      ) : null}
    </output>
  );
}
