import { useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect, useRef, useState, type RefObject } from "react";

import { PASSAGE_PARAM } from "#app/chat/room-address.ts";
import type { PositionView, ReadingData } from "#app/reading/reading-data.ts";
import type * as passageMarks from "./passage-marks.client.ts";

/**
 * Shows a mark beside each quoted passage that the user has reached. The server renders those up to the position that it
 * knows; the code for others is loaded only for a story with marks.
 *
 * @param text the element around the text
 * @param saved the latest saved position
 */
export function usePassageMarks(
  { id, marks, lastReached: reachedOnServer }: Pick<ReadingData, "id" | "marks" | "lastReached">,
  text: RefObject<HTMLElement>,
  saved: PositionView | null,
): void {
  const [loaded, setLoaded] = useState<typeof passageMarks | null>(null);
  const furthest = useRef(-1);
  const navigate = useNavigate();
  const follow = useRef(navigate);
  const hasMarks = marks.length > 0;
  const passage = useSearchParams()[0].get(PASSAGE_PARAM);

  useEffect(() => {
    follow.current = navigate;
  }, [navigate]);

  useEffect(() => {
    // If the code cannot be loaded, the server's marks are plain links.
    if (hasMarks) import("./passage-marks.client.ts").then(setLoaded, () => {});
  }, [hasMarks]);

  useEffect(() => {
    if (!loaded || !text.current) return undefined;
    return loaded.followMarks(text.current, (path) => {
      follow.current(path, { preventScrollReset: true });
    });
  }, [loaded, text]);

  useEffect(() => {
    if (!loaded || !text.current) return;
    const reached = saved ? loaded.getParagraphNumber(text.current, saved.paragraph) : -1;
    furthest.current = Math.max(furthest.current, reachedOnServer, reached);
    const shown = marks.filter(({ number }) => number <= furthest.current);
    loaded.showMarks(text.current, id, shown, passage);
  }, [loaded, text, id, marks, reachedOnServer, saved, passage]);
}
