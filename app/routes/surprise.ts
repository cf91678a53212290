import { redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { toStoryPath } from "#app/stories/book.ts";
import {
  addRecentStory,
  listBooks,
  listReadable,
  pickSurprise,
} from "#app/stories/catalogue.server.ts";

export { default } from "#app/http/empty-page.ts";
export { loader } from "#app/http/home-redirect.server.ts";
export { clientAction } from "#app/site/offline.ts";

/** Redirects to a story that the user has not opened recently. */
export async function action({ request, context }: ActionFunctionArgs) {
  const books = listReadable(await listBooks({ request, context }));
  const book = pickSurprise(books, request, Math.random());
  if (!book) return redirect("/home", 303);

  const headers = { "Set-Cookie": addRecentStory(request, book.id) };
  return redirect(toStoryPath(book.id), { headers, status: 303 });
}
