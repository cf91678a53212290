import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "@remix-run/cloudflare";

import { changeHiddenPeople, getHiddenUids, rememberChange } from "#app/chat/hidden.server.ts";
import {
  findMessageIntent,
  toFlash,
  toMessagePagePath,
  type MessageIntent,
} from "#app/chat/message-intents.ts";
import { createMessage } from "#app/chat/create-message.server.ts";
import { isEditable } from "#app/chat/message.ts";
import { deleteMessage, editMessage } from "#app/chat/own-messages.server.ts";
import { addReply } from "#app/chat/quotes/quote.ts";
import { addTopics } from "#app/chat/quotes/quoted-stories.server.ts";
import { storeReport } from "#app/chat/reports.server.ts";
import {
  AROUND_PARAM,
  CREATE_PATH,
  LIVE_PATH,
  toRoomPath,
  toSentPath,
} from "#app/chat/room-address.ts";
import { runRoomAction } from "#app/chat/run-room-action.server.ts";
import { getMessages } from "#app/chat/stored-messages.server.ts";
import { createDocumentId, isDocumentId } from "#app/firebase/document-id.ts";
import { getText } from "#app/http/form.ts";
import { readForm, toForm, type Form } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { toSafePath } from "#app/http/safe-path.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { isVisible } from "#app/http/text.ts";
import type { ActionError } from "#app/session/action-result.ts";
import { ActionFailure, toJsonResponse, type ActionRun } from "#app/session/run-action.server.ts";
import { getUser } from "#app/session/user.server.ts";
import { setFlash } from "#app/site/flash/flash.server.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import {
  DELETE_PARAM,
  MESSAGE_PAGE_FIELDS,
  RETURN_PARAM,
  type MessagePageData,
  type MessagePageResult,
} from "./message-page.tsx";

type MessagePageForm = Form<"intent" | (typeof MESSAGE_PAGE_FIELDS)[number]>;

/** The pages that show the room without scripts. */
const ROOM_PAGES = /^\/(?:home|create|read\/[^/]+)$/;

const NEWEST = "/home#room";

/** Loads a message with what the user may do about it. */
export async function loadMessagePage({ request, context, params }: LoaderFunctionArgs) {
  const { id = "" } = params;
  const [{ user }, hiddenUids, found] = await Promise.all([
    getUser({ request, context }),
    getHiddenUids({ request, context }),
    isDocumentId(id) ? catchUnavailable(getMessages(context).find(id)) : null,
  ]);
  const isUnavailable = found instanceof UnavailableError;
  const { messages, stories } = await addTopics(
    { request, context },
    found && !isUnavailable ? [found] : [],
  );
  const message = messages[0] ?? null;
  const now = Date.now();
  const page: MessagePageData = {
    message,
    isUnavailable,
    uid: user?.uid,
    hiddenUids,
    isEditable: message !== null && isEditable(message, now),
    isDeletion: new URL(request.url).searchParams.has(DELETE_PARAM),
    path: toMessagePagePath(id),
    returnTo: findReturnTo(request),
    nextId: createDocumentId(),
    stories,
    locale: getLocale(request, context),
  };
  const status = isUnavailable ? 503 : 404;
  return data(page, { status: message ? 200 : status });
}

/** Does what a form of the page asks for, and returns to the room. After an error the page is shown with what was typed. */
export async function submitMessagePage(args: ActionFunctionArgs) {
  const { request } = args;
  const form = await readForm(request, ["intent", ...MESSAGE_PAGE_FIELDS]);
  if (form.get("intent") === "reply") return sendReply(args, form);
  const intent = findMessageIntent(form.get("intent"));
  if (!intent) {
    throw data({ message: "The form is incomplete. Reload the page and try again." }, 400);
  }
  const { error, status, headers } = await runMessageAction(args, form, intent);
  if (error) return data(toFailed(intent, error, form), { status, headers });
  return redirect(findReturnTo(request), {
    headers: joinHeaders(headers, setFlash(request, toFlash(intent))),
    status: 303,
  });
}

/** Does the same for a script, and responds with JSON. */
export async function changeMessage(args: ActionFunctionArgs): Promise<Response> {
  const form = await readForm(args.request, ["intent", ...MESSAGE_PAGE_FIELDS]);
  const intent = findMessageIntent(form.get("intent"));
  return toJsonResponse(await runMessageAction(args, form, intent));
}

/** Sends what a form of the page replies, and returns to it in the room. */
async function sendReply(args: ActionFunctionArgs, form: MessagePageForm) {
  const message = getText(form, "message");
  const { error, status, headers } = await createMessage(
    args,
    toForm([
      ["messageId", getText(form, "messageId")],
      ["messageUid", getText(form, "uid")],
      ["messageReplyTo", args.params.id ?? ""],
      // Without an answer, only the lines of the other message would be sent.
      ["message", isVisible(message) ? addReply(message, getText(form, "quote")) : ""],
    ]),
  );
  if (error) return data(toFailed("reply", error, form), { status, headers });
  return redirect(toSentPath(findReturnTo(args.request)), { headers, status: 303 });
}

/** Returns the error of a form, with what was typed. */
function toFailed(
  intent: MessagePageResult["intent"],
  { message, hint, reason }: Pick<ActionError<string>, "message" | "hint" | "reason">,
  form: MessagePageForm,
): MessagePageResult {
  return {
    intent,
    // The error of a field says all that the user has to do.
    error: reason === "invalid" && hint ? { message: hint } : { message, hint },
    values: Object.fromEntries(
      MESSAGE_PAGE_FIELDS.map((name) => [name, getText(form, name)]),
    ) as MessagePageResult["values"], // has all names
  };
}

/** Does what an intent says with the message of a route's `id`. */
async function runMessageAction(
  args: ActionFunctionArgs,
  form: MessagePageForm,
  intent: MessageIntent | null,
): Promise<ActionRun<void>> {
  const { request, context } = args;
  const { id } = args.params;
  const fields = Object.fromEntries(form);
  const run = await runRoomAction(args, form, async (user) => {
    switch (intent) {
      case "edit":
        // The quote is not edited.
        return editMessage(args, user, id, getText(form, "quote") + getText(form, "text"));
      case "delete":
        return deleteMessage(context, user, id);
      case "hide":
        return changeHiddenPeople(context, user, fields);
      case "report":
        return storeReport(context, user, { ...fields, messageId: id });
      case null:
        throw new ActionFailure({ reason: "invalid" });
    }
  });
  return intent === "hide" ? rememberChange(request, run, fields) : run;
}

/** Returns the address of the room on the page from which the user came. */
function findReturnTo(request: Request): string {
  const known = toSafePath(new URL(request.url).searchParams.get(RETURN_PARAM), "");
  if (known) return known;
  const path = findPreviousPath(request);
  const { pathname } = new URL(path, "http://localhost");
  if (!ROOM_PAGES.test(pathname)) return NEWEST;
  return pathname === CREATE_PATH ? toRoomPath(path) : `${path}#room`;
}

/** Returns the path and query of the page from which the user came, or of the page around it if it is a frame. */
function findPreviousPath({ headers, url }: Request): string {
  const referrer = headers.get("Referer") ?? "";
  const from = URL.canParse(referrer) ? new URL(referrer) : null;
  if (from?.origin !== new URL(url).origin) return "/";
  const isFrame = from.pathname === LIVE_PATH;
  return toSafePath(
    isFrame ? from.searchParams.get(AROUND_PARAM) : from.pathname + from.search,
    "/",
  );
}
