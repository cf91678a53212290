import { useFetcher, useNavigate } from "@remix-run/react";
import { useEffect, useRef, useState, type RefObject } from "react";

import { focusComposer } from "#app/chat/dock/focus-composer.ts";
import { useRoomDock } from "#app/chat/dock/use-room-dock.tsx";
import { formatQuote } from "#app/chat/quotes/quote.ts";
import { useOutboxes } from "#app/chat/outbox/use-outbox.ts";
import { useCancelEdits } from "#app/chat/use-message-actions.ts";
import { describeError } from "#app/http/form.ts";
import type { ActionError } from "#app/session/action-result.ts";
import { isOffline, offlineMessage, type Offline } from "#app/site/offline.ts";
import { toStoryPath } from "#app/stories/book.ts";
import styles from "./story-end.module.css";

export interface StoryEndActionsProps {
  /** The element with the server's HTML. */
  root: RefObject<HTMLElement>;
  /** The id of the story. */
  story: string;
  uid: string | undefined;
  html: string;
}

/** What a form after the story responds with. */
type Result = Offline | ActionError | { status: "done"; message?: string };

/** Makes the links and forms after a story work without loading the page again, and shows their results. */
export function StoryEndActions({ root, story, uid, html }: StoryEndActionsProps) {
  const fetcher = useFetcher<Result>();
  const { state, data, submit } = fetcher;
  const navigate = useNavigate();
  const outboxes = useOutboxes();
  const cancelEdits = useCancelEdits();
  const { open } = useRoomDock();
  const [message, setMessage] = useState("");
  /** Whether a form was submitted whose result has not been shown yet. */
  const isPressed = useRef(false);
  /**
   * The `action` of the submitted form; empty for none. Once new HTML has replaced the form, its button gets the focus
   * again.
   */
  const pressedAction = useRef("");
  /** The forms that were submitted while another one was still being saved, by their `action`. */
  const waiting = useRef(new Map<string, FormData>());

  function quoteEnd() {
    const lastParagraph = [...document.querySelectorAll('#text [id^="p-"]')].at(-1);
    const words = lastParagraph?.textContent?.trim() ?? "";
    if (!lastParagraph || words === "") return;
    cancelEdits();
    outboxes
      .get(uid)
      .appendText(formatQuote({ words, path: `${toStoryPath(story)}#${lastParagraph.id}` }));
    open();
    void focusComposer();
  }

  async function copyLink(path: string) {
    const copied = navigator.clipboard.writeText(new URL(path, location.href).href);
    setMessage(
      await copied.then(
        () => "Link copied.",
        () => "We couldn't copy the link.",
      ),
    );
  }

  function handleClick(event: MouseEvent) {
    const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
    const control = target instanceof Element ? target.closest("a, button") : null;
    if (!(control instanceof HTMLElement) || button !== 0) return;
    if (metaKey || ctrlKey || shiftKey || altKey) return;
    const { copy, quote, room, go } = control.dataset;
    if (copy !== undefined) return void copyLink(copy);
    if ((quote ?? room ?? go) === undefined) return;
    event.preventDefault();
    if (quote !== undefined) quoteEnd();
    else if (room !== undefined) open();
    else navigate(control.getAttribute("href") ?? "");
  }

  function handleSubmit(event: SubmitEvent) {
    const { target, submitter } = event;
    if (!(target instanceof HTMLFormElement)) return;
    event.preventDefault();
    const action = target.getAttribute("action") ?? "";
    if (action === fetcher.formAction) return;
    pressedAction.current = action;
    const form = new FormData(target, submitter);
    if (state !== "idle") {
      waiting.current.set(action, form);
      return;
    }
    isPressed.current = true;
    setMessage("");
    submit(form, { method: "post", action });
  }

  const latest = useRef({ handleClick, handleSubmit });
  useEffect(() => {
    latest.current = { handleClick, handleSubmit };
  });

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    root.current?.addEventListener("click", (event) => latest.current.handleClick(event), {
      signal,
    });
    root.current?.addEventListener("submit", (event) => latest.current.handleSubmit(event), {
      signal,
    });
    return () => controller.abort();
  }, [root]);

  useEffect(() => {
    const action = pressedAction.current;
    pressedAction.current = "";
    if (action === "" || document.activeElement !== document.body) return;
    const button = root.current?.querySelector<HTMLElement>(`form[action="${action}"] button`);
    button?.focus({ preventScroll: true });
  }, [root, html]);

  useEffect(() => {
    if (state !== "idle" || !data || !isPressed.current) return;
    const [next] = waiting.current;
    isPressed.current = Boolean(next);
    setMessage(describeResult(data));
    if (!next) return;
    const [action, form] = next;
    waiting.current.delete(action);
    pressedAction.current = action;
    submit(form, { method: "post", action });
  }, [state, data, submit]);

  return <output className={styles.status}>{message}</output>;
}

function describeResult(result: Result): string {
  if (isOffline(result)) return offlineMessage(result);
  return result.status === "error" ? describeError(result) : (result.message ?? "");
}
