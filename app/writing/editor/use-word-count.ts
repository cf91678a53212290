import { useEffect, useRef, useState } from "react";

import { createWordCounter } from "#app/stories/words.ts";

/** Counts only after a pause in typing, so that counting never delays typing. */
const DELAY_MS = 200;

/** Returns the number of words, and a function that counts a new text. */
export function useWordCount(initialText: string): [words: number, count: (text: string) => void] {
  const [countWords] = useState(createWordCounter);
  const [words, setWords] = useState(() => countWords(initialText));
  const timer = useRef<ReturnType<typeof setTimeout>>();

  useEffect(() => () => clearTimeout(timer.current), []);

  function count(text: string) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setWords(countWords(text)), DELAY_MS);
  }
  return [words, count];
}
