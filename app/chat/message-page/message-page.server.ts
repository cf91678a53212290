import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "@remix-run/cloudflare";

import { changeHiddenPeople, getHiddenUids, rememberChange } from "#app/chat/hidden.server.ts";
import {
  DONE_FLASHES,
  MESSAGE_INTENTS,
  toMessagePagePath,
  type MessageIntent,
} from "#app/chat/message-intents.ts";
import { createMessage } from "#app/chat/create-message.server.ts";
import { isEditable } from "#app/chat/message.ts";
import { changeOwnMessage } from "#app/chat/own-messages.server.ts";
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
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { setFlash } from "#app/site/flash/flash.server.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import {
  DELETE_PARAM,
  RETURN_PARAM,
  type MessagePageData,
  type MessagePageResult,
} from "./message-page.ts";

const FIELDS = [
  "intent",
  "uid",
  "quote",
  "text",
  "messageId",
  "message",
  "person",
  "name",
  "kind",
  "details",
] as const;

type MessagePageForm = Form<(typeof FIELDS)[number]>;

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
  const { request, params } = args;
  const form = await readForm(request, FIELDS);
  if (form.get("intent") === "reply") return sendReply(args, form);
  const intent = MESSAGE_INTENTS.find((name) => name === form.get("intent"));
  if (!intent) {
    throw data({ message: "The form is incomplete. Reload the page and try again." }, 400);
  }
  const run = await runRoomAction(args, form, (user) => act(args, user, intent, params.id, form));
  const { error, status, headers } =
    intent === "hide" ? rememberChange(request, run, Object.fromEntries(form)) : run;
  if (error) return data(toFailed(intent, error, form), { status, headers });
  return redirect(findReturnTo(request), {
    headers: joinHeaders(headers, setFlash(request, DONE_FLASHES[intent])),
    status: 303,
  });
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
    values: {
      uid: getText(form, "uid"),
      quote: getText(form, "quote"),
      text: getText(form, "text"),
      messageId: getText(form, "messageId"),
      message: getText(form, "message"),
      person: getText(form, "person"),
      name: getText(form, "name"),
      kind: getText(form, "kind"),
      details: getText(form, "details"),
    },
  };
}

function act(
  args: ActionFunctionArgs,
  user: AuthUser,
  intent: MessageIntent,
  id: string | undefined,
  form: MessagePageForm,
): Promise<void> {
  const fields = Object.fromEntries(form);
  switch (intent) {
    case "edit": {
      // The quote is not edited.
      const text = getText(form, "quote") + getText(form, "text");
      return changeOwnMessage(args, user, id, { intent, text });
    }
    case "delete":
      return changeOwnMessage(args, user, id, { intent });
    case "hide":
      return changeHiddenPeople(args.context, user, fields);
    case "report":
      return storeReport(args.context, user, { ...fields, messageId: id });
  }
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
