import { Form, useNavigation } from "@remix-run/react";
import { useContext, useEffect, useId, useRef, type ReactNode } from "react";

import { StillTrying } from "#app/accounts/still-trying.tsx";
import { Button, type ButtonProps } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { useFocusFirstError } from "#app/ui/use-focus-first-error.ts";
import { AUTO_FOCUS } from "./auto-focus.ts";
import styles from "./form-section.module.css";
import type { ProfileFormName, ProfileRefusal, ProfileTab } from "./profile-view.ts";
import { Answer, AnswerContext } from "./result.tsx";

export interface FormSectionProps {
  heading: string;
  /** What the form does, in a sentence or two. */
  words?: ReactNode;
  form: ProfileFormName;
  tab: ProfileTab;
  /** The last refusal of any form on the page. */
  refusal: ProfileRefusal | undefined;
  button: string;
  variant?: ButtonProps["variant"];
  /** Told what stands in the form when it goes away. */
  onLeave?: (form: FormData) => void;
  children?: ReactNode;
}

/** One of the profile's forms: what it is about, its fields, and why it was refused, if it was. */
export function FormSection({
  heading,
  words,
  form,
  tab,
  refusal,
  button,
  variant,
  onLeave,
  children,
}: FormSectionProps) {
  const headingId = useId();
  // The section of Google answers for its forms, which come and go with the answer.
  const section = form === "unlink-google" ? "google" : form;
  const formRef = useRef<HTMLFormElement>(null);
  const mine = refusal?.form === form ? refusal : undefined;
  const isPending = useNavigation().formData?.get("intent") === form;
  useFocusFirstError(formRef, mine?.faults);
  const isTaken = useContext(AnswerContext)?.section === section;
  const wasPending = useRef(false);

  useEffect(() => {
    // What was taken leaves no password behind, for the page stays; fields hold what is saved now.
    if (wasPending.current && !isPending && isTaken) formRef.current?.reset();
    wasPending.current = isPending;
  }, [isPending, isTaken]);

  const leave = useRef(onLeave);
  useEffect(() => {
    leave.current = onLeave;
  });
  useEffect(() => {
    const form = formRef.current;
    return () => {
      if (form) leave.current?.(new FormData(form));
    };
  }, []);

  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <h2 className={styles.heading} id={headingId} {...(mine ? AUTO_FOCUS : {})}>
        {heading}
      </h2>
      {words ? <div className={styles.words}>{words}</div> : null}
      {mine?.banner && !isPending ? (
        <MessageBanner severity="error" hint={mine.banner.hint}>
          {mine.banner.message}
        </MessageBanner>
      ) : null}
      <Form
        ref={formRef}
        method="post"
        action={`/profile?tab=${tab}`}
        noValidate
        className={styles.form}
        preventScrollReset
      >
        <input type="hidden" name="intent" value={form} />
        {children}
        <div className={styles.submit}>
          <Button className={styles.button} type="submit" variant={variant} isPending={isPending}>
            {button}
          </Button>
          <StillTrying isPending={isPending} />
          {section === form ? <Answer section={section} isPending={isPending} /> : null}
        </div>
      </Form>
    </section>
  );
}

/** Returns a form's faults and what was typed in it, when it is the one that was refused. */
export function readRefusal(refusal: ProfileRefusal | undefined, form: ProfileFormName) {
  const mine = refusal?.form === form ? refusal : undefined;
  return { faults: mine?.faults ?? {}, typed: mine?.typed };
}
