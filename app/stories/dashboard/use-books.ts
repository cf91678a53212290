import { useEffect, useState } from "react";

import { BOOKS_PATH, findBooks, type Book } from "#app/stories/book.ts";

/**
 * Returns the list the server sent, then the one the browser fetches for itself, when that is another.
 * A missing, empty or broken one changes nothing.
 */
export function useBooks(serverBooks: Book[]): Book[] {
  const [fetched, setFetched] = useState<Book[]>([]);

  useEffect(() => {
    const leaving = new AbortController();
    void fetchBooks(leaving.signal).then((books) => {
      if (!leaving.signal.aborted && books) setFetched(books);
    });
    return () => leaving.abort();
  }, []);

  const isCorrected = fetched.length > 0 && JSON.stringify(fetched) !== JSON.stringify(serverBooks);
  return isCorrected ? fetched : serverBooks;
}

async function fetchBooks(signal: AbortSignal): Promise<Book[] | undefined> {
  try {
    const response = await fetch(BOOKS_PATH, { signal });
    return response.ok ? findBooks(await response.json()) : undefined;
  } catch {
    return undefined;
  }
}
