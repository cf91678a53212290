import { useNavigate, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState, type FormEvent } from "react";

import type { FormError } from "#app/accounts/form-error.ts";
import { canHear, createFlow, hear, type GoogleOutcome } from "./popup-channel.ts";

/** The window of a second press is that of the first. */
const WINDOW_NAME = "google-sign-in";
const WIDTH = 480;
const HEIGHT = 640;

const LOOK_INTERVAL_MS = 250;
/** What a closing window has said may still be on its way. */
const GRACE_MS = 1_000;

/** The button of a form that leads to Google in the page's own window, whatever else is possible. */
export const IN_THIS_WINDOW = "in-this-window";

/** The SDK's words, and below them ours. */
const CLOSED: GoogleRefusal = {
  message:
    "Firebase: The popup has been closed by the user before finalizing the operation. (auth/popup-closed-by-user).",
  hint: "You can also use e-mail and password.",
};
const BLOCKED: GoogleRefusal = {
  message:
    "Firebase: Unable to establish a connection with the popup. It may have been blocked by the browser. (auth/popup-blocked).",
  hint: "Google can open in this window instead.",
  isBlocked: true,
};

export interface GoogleRefusal extends FormError {
  /** Offers to go without a pop-up. */
  isBlocked?: boolean;
}

export interface Google {
  refusal: GoogleRefusal | undefined;
  /** Whether a pop-up is open, as far as can be told. */
  isOpen: boolean;
  /** Call when another attempt starts. */
  clear: () => void;
  /** Prepares the form that is being sent. */
  submit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * Signs in by a form that leads to Google: in a pop-up where scripts run and browsers let it open, so that the page
 * stays; else, and without scripts, in the page's own window, which then comes back.
 *
 * @param kept why an attempt of that second kind was refused, on the page it came back to
 * @param handlers `onSignedIn` is called when a pop-up has signed the person in
 */
export function useGoogle(
  kept: GoogleRefusal | undefined,
  { onStart, onSignedIn }: { onStart?: () => void; onSignedIn: () => void },
): Google {
  const [refusal, setRefusal] = useState(kept);
  const [isOpen, setIsOpen] = useState(false);
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);

  function end({ refusal: reason }: GoogleOutcome) {
    stop.current();
    setIsOpen(false);
    if (reason) setRefusal(reason);
    else onSignedIn();
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    const { currentTarget: form, nativeEvent } = event;
    const submitter = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null;
    stop.current();
    setRefusal(undefined);
    onStart?.();
    const isHere = submitter?.dataset.google === IN_THIS_WINDOW || !canHear();
    const popup = isHere ? null : openPopup();
    if (!isHere && !popup) {
      event.preventDefault();
      setRefusal(BLOCKED);
      return;
    }

    const flow = popup ? createFlow() : "";
    setValue(form, "flow", flow);
    form.target = popup ? WINDOW_NAME : "";
    if (popup) follow(popup, flow);
  }

  function follow(popup: Window, flow: string) {
    setIsOpen(true);
    const stopHearing = hear(flow, end);
    // Even a pop-up that seems closed may still succeed, so the page goes on listening.
    const stopLooking = watch(popup, () => {
      setIsOpen(false);
      setRefusal(CLOSED);
    });
    stop.current = () => {
      stopHearing();
      stopLooking();
    };
  }

  return { refusal, isOpen, clear: () => setRefusal(undefined), submit };
}

/** Signs in with Google on a screen that then leads to the profile. */
export function useScreenGoogle(kept: FormError | undefined, onStart: () => void): Google {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  function onSignedIn() {
    navigate("/profile");
    // What is on the page already does not know the person yet.
    revalidate();
  }
  return useGoogle(kept, { onStart, onSignedIn });
}

/** Opens a window over the middle of this one, which browsers allow in the moment of a click only. */
function openPopup(): Window | null {
  const left = Math.round(window.screenX + (window.outerWidth - WIDTH) / 2);
  const top = Math.round(window.screenY + (window.outerHeight - HEIGHT) / 2);
  const place = `left=${left},top=${top},width=${WIDTH},height=${HEIGHT}`;
  const popup = window.open("", WINDOW_NAME, `popup,${place}`);
  popup?.focus();
  return popup;
}

/**
 * Calls back once the person has closed the window. One that was cut off by another site's policy says that it is
 * closed too, but then this page has not got the focus back.
 */
function watch(popup: Window, onClosed: () => void): () => void {
  let closedFor = 0;
  const timer = setInterval(() => {
    closedFor = popup.closed && document.hasFocus() ? closedFor + LOOK_INTERVAL_MS : 0;
    if (closedFor < GRACE_MS) return;
    clearInterval(timer);
    onClosed();
  }, LOOK_INTERVAL_MS);
  return () => clearInterval(timer);
}

function setValue(form: HTMLFormElement, name: string, value: string) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.value = value;
}
