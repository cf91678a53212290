import { Link } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

import { useRoomDock } from "#app/chat/dock/use-room-dock.tsx";
import { fetchJson } from "#app/http/fetch-json.ts";
import { Button } from "#app/ui/button.tsx";
import { toAnswersPath, type AnswersView } from "./answers-view.ts";
import styles from "./answers-list.module.css";
import { MarkAllForm, NO_ANSWERS, Row } from "./answers.tsx";

export interface AnswersListProps {
  /** The user. */
  uid: string;
  /** The link in the header, which the list opens below. */
  link: RefObject<HTMLElement>;
  onClose: () => void;
}

/** The newest answers, in a dialog below their link in the header. */
export function AnswersList({ uid, link, onClose }: AnswersListProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** `undefined` while they are loaded, `null` if they can't be. */
  const [answers, setAnswers] = useState<AnswersView | null>();
  const { setAnswerCount } = useRoomDock();

  const load = useCallback(
    async (signal?: AbortSignal) => {
      const loaded = await fetchJson("/rooms/general/answers", readAnswers, signal);
      if (signal?.aborted) return;
      setAnswers(loaded);
      if (loaded) setAnswerCount(loaded.newCount);
    },
    [setAnswerCount],
  );

  useEffect(() => {
    const { current } = dialog;
    const box = link.current?.getBoundingClientRect();
    if (!current || !box) return undefined;
    const right = Math.max(document.documentElement.clientWidth - box.right, 0);
    current.style.setProperty("--top", `${box.bottom}px`);
    current.style.setProperty("--right", `${right}px`);
    current.showModal();
    // Otherwise the link below the list would get the focus, because the list is still empty.
    current.focus();
    const controller = new AbortController();
    void load(controller.signal);
    return () => controller.abort();
  }, [link, load]);

  function retry() {
    setAnswers(undefined);
    // The focused button is about to disappear.
    dialog.current?.focus();
    void load();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape closes it too
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="newest-answers"
      tabIndex={-1}
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        // Only presses outside of the content have the dialog itself as their target.
        if (target === currentTarget) currentTarget.close();
      }}
    >
      <div className={styles.content}>
        <div className={styles.head}>
          <h2 id="newest-answers">Answers</h2>
          {answers && answers.newCount > 0 ? (
            <MarkAllForm uid={uid} until={answers.until} onDone={() => void load()} />
          ) : null}
        </div>
        <div className={styles.answers} aria-busy={answers === undefined}>
          {answers === undefined ? (
            <p>
              <output>Loading…</output>
            </p>
          ) : null}
          {answers === null ? (
            <p role="alert">
              We can't load your answers right now.{" "}
              <Button variant="quiet" onPress={retry}>
                Try again
              </Button>
            </p>
          ) : null}
          {answers?.rows.length === 0 ? <p>{NO_ANSWERS}</p> : null}
          {answers && answers.rows.length > 0 ? (
            <ul>
              {answers.rows.map((row) => (
                <Row key={row.key} row={row} uid={uid} onOpen={() => dialog.current?.close()} />
              ))}
            </ul>
          ) : null}
        </div>
        <Link
          className={styles.all}
          to={toAnswersPath("all")}
          onClick={() => dialog.current?.close()}
        >
          All answers
        </Link>
      </div>
    </dialog>
  );
}

function readAnswers(json: object): AnswersView | null {
  return isAnswers(json) ? json : null;
}

function isAnswers(json: object): json is AnswersView {
  return "rows" in json;
}
