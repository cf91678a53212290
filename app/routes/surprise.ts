import { redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { joinHeaders } from "#app/http/headers.ts";
import { getUser } from "#app/session/user.server.ts";
import { toStoryPath } from "#app/stories/book.ts";
import {
  addRecentStory,
  listBooks,
  listReadable,
  pickSurprise,
} from "#app/stories/catalogue.server.ts";
import { createHiding } from "#app/stories/library/hiding.server.ts";
import { loadHidden } from "#app/stories/library/library.server.ts";
import { toBookEntry } from "#app/stories/search.server.ts";

export { default } from "#app/http/empty-page.ts";
export { loader } from "#app/http/home-redirect.server.ts";
export { clientAction } from "#app/site/offline.ts";

/** Redirects to a story that the user has not opened recently. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { user, headers } = await getUser({ request, context });
  const findHiding = createHiding(await loadHidden({ request, context }, user));
  const books = listReadable(await listBooks({ request, context }));
  const shown = books.filter((book) => !findHiding(toBookEntry(book)));
  const book = pickSurprise(shown, request, Math.random());
  if (!book) return redirect("/home", { headers, status: 303 });

  const recent = { "Set-Cookie": addRecentStory(request, book.id) };
  return redirect(toStoryPath(book.id), { headers: joinHeaders(headers, recent), status: 303 });
}
