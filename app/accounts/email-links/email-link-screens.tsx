import { useLocation } from "@remix-run/react";

import styles from "#app/accounts/auth-card.module.css";
import { useAttempt } from "#app/accounts/use-attempt.ts";
import { ButtonLink } from "#app/ui/button-link.tsx";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { useFocusFirstError } from "#app/ui/use-focus-first-error.ts";
import { CodeCard, CodeForm } from "./email-link-card.tsx";
import type { CodeReply, CodeScreen } from "./email-link-screen.ts";
import { titleOf } from "./email-link-titles.ts";

export interface CodeScreensProps {
  screen: CodeScreen;
  reply: CodeReply | undefined;
  isPending: boolean;
}

/** What stands at /login in place of Sign In. */
export function CodeScreens({ screen, ...props }: CodeScreensProps) {
  switch (screen.kind) {
    case "reset-request":
      return <ResetRequest screen={screen} {...props} />;
    case "new-password":
      return <NewPassword screen={screen} {...props} />;
    case "apply-code":
      return <ApplyCode screen={screen} {...props} />;
    case "dead-link":
      return <DeadLink screen={screen} {...props} />;
  }
}

interface ScreenProps<Kind extends CodeScreen["kind"]> extends Omit<CodeScreensProps, "screen"> {
  screen: Extract<CodeScreen, { kind: Kind }>;
}

function ResetRequest({ screen, reply, isPending }: ScreenProps<"reset-request">) {
  const { formRef, shown, start } = useAttempt(reply?.banner, isPending);
  useFocusFirstError(formRef, reply?.fieldErrors);
  return (
    <CodeCard title={titleOf(screen)} banner={shown}>
      {screen.isSent && !reply ? (
        <MessageBanner
          severity="success"
          className={styles.banner}
          hint="No e-mail? Check your spam folder, or ask again in a few minutes."
        >
          If that address has an account, a reset link is on its way.
        </MessageBanner>
      ) : null}
      <CodeForm formRef={formRef} onSubmit={start} isPending={isPending}>
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={reply?.email}
          errors={reply?.fieldErrors?.email}
        />
        <Button type="submit" isPending={isPending}>
          Send reset link
        </Button>
      </CodeForm>
    </CodeCard>
  );
}

function NewPassword({ screen, reply, isPending }: ScreenProps<"new-password">) {
  const { formRef, shown, start } = useAttempt(reply?.banner, isPending);
  useFocusFirstError(formRef, reply?.fieldErrors);
  return (
    <CodeCard title={titleOf(screen)} banner={shown}>
      <CodeForm formRef={formRef} onSubmit={start} isPending={isPending}>
        {/* Not to be typed, but seen: password managers store it beside the password. */}
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          value={screen.email}
          readOnly
        />
        <TextField
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          errors={reply?.fieldErrors?.password}
        />
        <Button type="submit" isPending={isPending}>
          Set password
        </Button>
      </CodeForm>
    </CodeCard>
  );
}

/** A press of a button, for whoever reads mail may open its links unasked: virus scanners, for one. */
function ApplyCode({ screen, reply, isPending }: ScreenProps<"apply-code">) {
  const { formRef, shown, start } = useAttempt(reply?.banner, isPending);
  const { words, button } = CODE_WORDS[screen.mode];
  return (
    <CodeCard title={titleOf(screen)} banner={shown}>
      <p className={styles.words}>{words}</p>
      <CodeForm formRef={formRef} onSubmit={start} isPending={isPending}>
        <Button type="submit" isPending={isPending}>
          {button}
        </Button>
      </CodeForm>
      {shown && screen.mode === "verifyEmail" ? (
        <p className={styles.words}>
          Go to <Link to="/profile">your profile</Link> to see whether your e-mail is confirmed, or
          to get a new link.
        </p>
      ) : null}
    </CodeCard>
  );
}

const CODE_WORDS = {
  verifyEmail: {
    words: "Press the button to confirm that this e-mail address is yours.",
    button: "Confirm e-mail",
  },
  verifyAndChangeEmail: {
    words: "After this, you sign in with your new address.",
    button: "Change e-mail",
  },
  recoverEmail: {
    words:
      "Your account's e-mail address was changed. If that wasn't you, restore your old address.",
    button: "Restore old e-mail",
  },
} as const;

function DeadLink({ screen }: ScreenProps<"dead-link">) {
  const { banner, isUnreachable } = screen;
  const { pathname, search } = useLocation();
  if (isUnreachable) {
    return (
      <CodeCard title={titleOf(screen)} banner={banner}>
        <p className={styles.words}>
          <ButtonLink to={pathname + search} reloadDocument>
            Try again
          </ButtonLink>
        </p>
      </CodeCard>
    );
  }
  return (
    <CodeCard title={titleOf(screen)} banner={banner}>
      <p className={styles.words}>
        <ButtonLink to="/login?reset=1">Ask for a new link</ButtonLink>
      </p>
    </CodeCard>
  );
}
