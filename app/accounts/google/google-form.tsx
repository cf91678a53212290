import { useNavigate, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState, type FormEvent } from "react";

import { Hint } from "#app/accounts/hint.tsx";
import type { FormError } from "#app/http/form.ts";
import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./google-form.module.css";
import {
  createPopupId,
  hasBroadcastChannel,
  subscribe,
  type GoogleResult,
} from "./popup-channel.ts";

export interface GoogleFormProps {
  /** Unique on the page. */
  id: string;
  google: GoogleSignIn;
  /** The screen with the button. It determines the error messages, and where they are shown. */
  screen: "sign-in" | "sign-up" | "room" | "link";
  /** The path of the page with the room, for the screen `room`. */
  returnTo?: string;
  /** The button's label. */
  children: string;
  className?: string;
}

/** The button that leads to Google. It has its own form, so the password is not sent with it. */
export function GoogleForm({ id, google, screen, returnTo, children, className }: GoogleFormProps) {
  return (
    <form
      id={id}
      method="post"
      action="/auth/google"
      className={[styles.form, className].filter(Boolean).join(" ")}
      onSubmit={google.submit}
    >
      <input type="hidden" name="screen" value={screen} />
      {returnTo === undefined ? null : <input type="hidden" name="returnTo" value={returnTo} />}
      <input type="hidden" name="popupId" />
      <Button type="submit" variant="quiet">
        {children}
      </Button>
      <output className={styles.status}>
        {google.isOpen ? "Continue in the Google window." : null}
      </output>
    </form>
  );
}

/** The error of a sign-in with Google, and the button to retry after a blocked pop-up. */
export function GoogleBanner({
  error,
  formId,
  className,
}: {
  error: GoogleFormError;
  /** The form to submit again. */
  formId: string;
  className?: string;
}) {
  const retry = error.isBlocked ? (
    <Button
      type="submit"
      variant="quiet"
      form={formId}
      data-google={SAME_WINDOW}
      className={styles.retry}
    >
      Continue in this window
    </Button>
  ) : null;
  return (
    <MessageBanner
      severity="error"
      className={className}
      hint={
        <>
          {error.hint ? <Hint>{error.hint}</Hint> : null}
          {retry}
        </>
      }
    >
      {error.message}
    </MessageBanner>
  );
}

/** The same for every click, so that a second click reuses the window. */
const WINDOW_NAME = "google-sign-in";
const WIDTH = 480;
const HEIGHT = 640;

const POLL_INTERVAL_MS = 250;
/** A message from a closing window may arrive after the window has closed. */
const CLOSED_DELAY_MS = 1_000;

/** The `data-google` of a button that leads to Google without a pop-up. */
const SAME_WINDOW = "same-window";

/** The Firebase SDK's messages, and our hints. */
const CLOSED: GoogleFormError = {
  message:
    "Firebase: The popup has been closed by the user before finalizing the operation. (auth/popup-closed-by-user).",
  hint: "You can also use e-mail and password.",
};
const BLOCKED: GoogleFormError = {
  message:
    "Firebase: Unable to establish a connection with the popup. It may have been blocked by the browser. (auth/popup-blocked).",
  hint: "Google can open in this window instead.",
  isBlocked: true,
};

export interface GoogleFormError extends FormError {
  /** Whether the browser has blocked the pop-up, so that the user can continue without one. */
  isBlocked?: boolean;
}

export interface GoogleSignIn {
  error: GoogleFormError | undefined;
  /** Whether a pop-up is open, according to the browser. */
  isOpen: boolean;
  /** Call when another sign-in starts. */
  clear: () => void;
  /** The form's submit handler. */
  submit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * Signs in with a form that leads to Google. If scripts run and the browser allows it, Google opens in a pop-up and the
 * page stays. Otherwise it opens in the page's own window, which then returns.
 *
 * @param initialError of a sign-in in the page's own window that has returned
 * @param handlers `onSignedIn` is called with the path that sign-in leads to, once a pop-up has signed the user in
 */
export function useGoogle(
  initialError: GoogleFormError | undefined,
  { onStart, onSignedIn }: { onStart?: () => void; onSignedIn: (returnTo: string) => void },
): GoogleSignIn {
  const [error, setError] = useState(initialError);
  const [isOpen, setIsOpen] = useState(false);
  const unsubscribe = useRef(() => {});
  useEffect(() => () => unsubscribe.current(), []);

  function onResult(result: GoogleResult) {
    unsubscribe.current();
    setIsOpen(false);
    if (result.error) setError(result.error);
    else onSignedIn(result.returnTo);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    const { currentTarget: form, nativeEvent } = event;
    const submitter = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null;
    unsubscribe.current();
    setError(undefined);
    onStart?.();
    const isSameWindow = submitter?.dataset.google === SAME_WINDOW || !hasBroadcastChannel();
    const popup = isSameWindow ? null : openPopup();
    if (!isSameWindow && !popup) {
      event.preventDefault();
      setError(BLOCKED);
      return;
    }

    const popupId = popup ? createPopupId() : "";
    const field = form.elements.namedItem("popupId");
    if (field instanceof HTMLInputElement) field.value = popupId;
    form.target = popup ? WINDOW_NAME : "";
    if (popup) follow(popup, popupId);
  }

  function follow(popup: Window, popupId: string) {
    setIsOpen(true);
    const stopListening = subscribe(popupId, onResult);
    // A pop-up that seems closed may still succeed, so the page continues to listen.
    const stopPolling = onClose(popup, () => {
      setIsOpen(false);
      setError(CLOSED);
    });
    unsubscribe.current = () => {
      stopListening();
      stopPolling();
    };
  }

  return { error, isOpen, clear: () => setError(undefined), submit };
}

/** Signs in with Google on Sign In and Sign Up, and then leaves the screen. */
export function useGoogleSignIn(
  initialError: FormError | undefined,
  onStart: () => void,
): GoogleSignIn {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  function onSignedIn(returnTo: string) {
    navigate(returnTo);
    // The navigation reuses the data of some loaders, which is from before the sign-in.
    revalidate();
  }
  return useGoogle(initialError, { onStart, onSignedIn });
}

/** Opens a window over the middle of this one. Browsers allow that only during a click. */
function openPopup(): Window | null {
  const left = Math.round(window.screenX + (window.outerWidth - WIDTH) / 2);
  const top = Math.round(window.screenY + (window.outerHeight - HEIGHT) / 2);
  const position = `left=${left},top=${top},width=${WIDTH},height=${HEIGHT}`;
  const popup = window.open("", WINDOW_NAME, `popup,${position}`);
  popup?.focus();
  return popup;
}

/**
 * Calls back once the user has closed the window. A window that another site's policy has cut off reports `closed` too,
 * but does not give the focus back to this page. Returns a function that stops watching.
 */
function onClose(popup: Window, onClosed: () => void): () => void {
  let closedFor = 0;
  const timer = setInterval(() => {
    closedFor = popup.closed && document.hasFocus() ? closedFor + POLL_INTERVAL_MS : 0;
    if (closedFor < CLOSED_DELAY_MS) return;
    clearInterval(timer);
    onClosed();
  }, POLL_INTERVAL_MS);
  return () => clearInterval(timer);
}
