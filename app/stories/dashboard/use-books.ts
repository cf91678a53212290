import { useEffect, useState } from "react";

import { BOOKS_PATH, readBooks, type Book } from "#app/stories/book.ts";

/** Returns the server's list of books, then the list that the browser fetches if it is different and valid. */
export function useBooks(serverBooks: Book[]): Book[] {
  const [fetched, setFetched] = useState<Book[]>([]);

  useEffect(() => {
    const controller = new AbortController();
    void fetchBooks(controller.signal).then((books) => {
      if (!controller.signal.aborted && books) setFetched(books);
    });
    return () => controller.abort();
  }, []);

  const isChanged = fetched.length > 0 && JSON.stringify(fetched) !== JSON.stringify(serverBooks);
  return isChanged ? fetched : serverBooks;
}

async function fetchBooks(signal: AbortSignal): Promise<Book[] | undefined> {
  try {
    const response = await fetch(BOOKS_PATH, { signal });
    return response.ok ? readBooks(await response.json()) : undefined;
  } catch {
    return undefined;
  }
}
