import { useEffect, useRef, useState } from "react";

import { createWordCounter } from "#app/stories/words.ts";

/** After the last key, so that no key waits for the count. */
const DELAY_MS = 200;

/** Returns how many words a text has, and how to say that it is another one. */
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
