import "./styles/app.css";

import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  ScrollRestoration,
  useLoaderData,
  useLocation,
  useRouteError,
  useRouteLoaderData,
  type ErrorResponse,
} from "@remix-run/react";
import { useContext, useEffect, type ReactNode } from "react";

import { getFormErrorCookie } from "./accounts/google/google-response.server.ts";
import { GoogleErrorContext } from "./accounts/google/use-google-error.ts";
import { RoomDock } from "./chat/dock/room-dock.tsx";
import { RoomLink } from "./chat/dock/room-link.tsx";
import { RoomDockScript } from "./chat/dock/room-storage.tsx";
import { getScrollKey, RoomDockProvider } from "./chat/dock/use-room-dock.tsx";
import { getEnv, getFirebaseConfig } from "./env.server.ts";
import { joinHeaders } from "./http/headers.ts";
import { endAction } from "./http/outgoing-calls.server.ts";
import { getWaitUntil } from "./http/wait-until.server.ts";
import { AnswersButton } from "./profile/answers-button.tsx";
import { getSignOuts } from "./session/sign-out.server.ts";
import { useSessionSync } from "./session/use-session-sync.ts";
import { toUser, UserContext } from "./session/user.ts";
import { getUser } from "./session/user.server.ts";
import { ConsentBanner, useAnalytics } from "./site/consent/consent.tsx";
import { getAnalytics } from "./site/consent/consent.server.ts";
import { assertNotUnderMaintenance } from "./site/maintenance/maintenance.server.ts";
import {
  isMaintenance,
  MaintenanceHead,
  MaintenancePage,
} from "./site/maintenance/maintenance.tsx";
import { MessagePage, RequestId } from "./site/message-page.tsx";
import { redirectToCachedDocument } from "./site/outdated-note/render-outdated-note.server.tsx";
import { OutdatedNote } from "./site/outdated-note/outdated-note.tsx";
import { describePage } from "./site/page-meta.ts";
import {
  getHtmlScriptingProps,
  PageScripts,
  ScriptingScript,
  TranslationScript,
} from "./site/page-scripts.tsx";
import { Shell } from "./site/shell/shell.tsx";
import { StayInPlace } from "./site/stay-in-place.tsx";
import { getHtmlThemeProps, ThemeScript, type Theme } from "./site/theme/theme.tsx";
import { getTheme } from "./site/theme/theme.server.ts";
import { getCachedRoomCount } from "./stories/readers/readers.server.ts";
import { fontLinks } from "./styles/fonts.ts";
import { NonceContext } from "./ui/inline-script.tsx";
import { useHydrated } from "./ui/hydration.ts";

export const links: LinksFunction = () => [
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
  ...fontLinks,
];

/** For error pages and pages without their own `meta`. */
export const meta: MetaFunction = (args) =>
  describePage(args, { title: args.error ? getTitle(args.error) : undefined, canonical: null });

/** `--surface` of tokens.css. */
const SURFACE = { light: "#ffffff", dark: "#111b18" };

export async function loader({ request, context }: LoaderFunctionArgs) {
  assertNotUnderMaintenance({ request, context });
  redirectToCachedDocument({ request, context });
  redirectToNormalizedPath(request);
  endAction();
  const env = getEnv(context);
  const firebaseConfig = getFirebaseConfig(env);
  const formErrorCookie = getFormErrorCookie(context);
  const signOuts = getSignOuts(context);
  const [{ user, headers }, afterSignOut] = await Promise.all([
    getUser({ request, context }),
    signOuts.retryPending(request, getWaitUntil(context)),
  ]);
  const analytics = getAnalytics(request, firebaseConfig);
  const { error: googleError, headers: afterError } = await formErrorCookie.read(request);
  return data(
    {
      user: user && toUser(user),
      peopleInRoom: getCachedRoomCount(context),
      analytics,
      googleError,
      theme: getTheme(request),
      origin: new URL(request.url).origin,
      sourceUrl: env.SOURCE_URL,
    },
    {
      headers: joinHeaders(headers, afterSignOut, afterError),
      // The status of the failed request that redirected here.
      status: googleError?.status,
    },
  );
}

/** Only used during maintenance: functions/_middleware.ts sends all posted data requests here. */
export function action(args: ActionFunctionArgs) {
  assertNotUnderMaintenance(args);
  throw data(null, { status: 405 });
}

export { shouldRevalidate } from "./site/revalidation.ts";

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(NonceContext);
  const loaded = useRouteLoaderData<typeof loader>("root");
  const rootData = useLastLoaded(loaded);
  // `data-auth-loading` is the specification's flag.
  const isLoading = !useHydrated();
  const theme = rootData?.theme ?? "system";
  const user = rootData?.user ?? null;

  if (isMaintenance(useRouteError())) return <MaintenanceDocument />;
  return (
    <html
      lang="en"
      data-auth-loading={isLoading}
      {...getHtmlThemeProps(theme)}
      {...getHtmlScriptingProps()}
      // Scripts change these attributes before hydration.
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <Meta />
        <ThemeColor theme={theme} />
        <Links />
        <ScriptingScript />
        <ThemeScript theme={theme} />
        <RoomDockScript />
        <TranslationScript />
        {/* React keeps what only the server has added to the end of the head. */}
        {import.meta.env.SSR ? <ConstantMeta /> : null}
      </head>
      <body>
        <UserContext.Provider value={user}>
          <GoogleErrorContext.Provider value={loaded?.googleError ?? null}>
            <RoomDockProvider>
              <Shell
                user={user}
                theme={theme}
                roomLink={<RoomLink uid={user?.uid} initialCount={rootData?.peopleInRoom ?? 0} />}
                answersLink={user ? <AnswersButton uid={user.uid} /> : null}
                room={<RoomDock />}
                sourceUrl={rootData?.sourceUrl}
              >
                {children}
              </Shell>
            </RoomDockProvider>
          </GoogleErrorContext.Provider>
        </UserContext.Provider>
        <StayInPlace>
          <ScrollRestoration nonce={nonce} getKey={getScrollKey} />
        </StayInPlace>
        <PageScripts />
      </body>
    </html>
  );
}

type RootData = ReturnType<typeof useLoaderData<typeof loader>>;

/** Set in the browser only. */
let lastLoaded: RootData | undefined;

/** Returns the last page's data for an error page without its own, so that its user and theme stay the same. */
function useLastLoaded(loaded: RootData | undefined): RootData | undefined {
  useEffect(() => {
    if (loaded) lastLoaded = loaded;
  }, [loaded]);
  return loaded ?? lastLoaded;
}

/** What never changes, so that the browser's build needs no code for it. `describePage` has the page's own. */
function ConstantMeta() {
  return (
    <>
      <meta property="og:site_name" content="Inkglade" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
      {/* React Aria adds a style element unless this id exists. The CSP forbids it, so base.css has the style. */}
      <meta id="react-aria-pressable-style" name="react-aria" content="styles in base.css" />
    </>
  );
}

/** Gives the browser's toolbar the colour of the shell's bar. */
function ThemeColor({ theme }: { theme: Theme }) {
  if (theme !== "system") return <meta name="theme-color" content={SURFACE[theme]} />;
  return (["light", "dark"] as const).map((scheme) => (
    <meta
      key={scheme}
      name="theme-color"
      content={SURFACE[scheme]}
      media={`(prefers-color-scheme: ${scheme})`}
    />
  ));
}

/** Contains no scripts, because Remix's would load the requested page. */
function MaintenanceDocument() {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <MaintenanceHead />
        <Links />
      </head>
      <body>
        <MaintenancePage />
      </body>
    </html>
  );
}

export default function App() {
  const { user, analytics } = useLoaderData<typeof loader>();
  const location = useLocation();
  const { pathname, search } = location;
  useAnalytics(analytics, pathname);
  useSessionSync(user?.uid ?? null);
  return (
    <>
      {/* The note is about one page, with and without the room. */}
      <OutdatedNote key={getScrollKey(location)} />
      <Outlet />
      {analytics ? (
        <ConsentBanner consent={analytics.consent} path={pathname} returnTo={pathname + search} />
      ) : null}
    </>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const message = isRouteErrorResponse(error) ? readMessage(error.data) : undefined;
  if (!isClientError(error) && message === undefined) {
    return (
      <MessagePage title={getTitle(error)}>
        <p>We can't show this page. Nothing you saved was lost.</p>
        <p>
          {isBrowserOffline(error)
            ? "Check your connection, then try again."
            : "Try again in a moment, or go back to the stories."}
        </p>
        <RequestId />
      </MessagePage>
    );
  }
  return (
    <MessagePage title={getTitle(error)}>
      <p>{message ?? "We can't process this request. Go back and try again."}</p>
    </MessagePage>
  );
}

function getTitle(error: unknown): string {
  if (isRouteErrorResponse(error) && error.status === 503) return "Not available right now";
  if (isBrowserOffline(error)) return "You seem to be offline";
  if (!isClientError(error)) return "Something went wrong";
  return error.status === 404 ? "Not found" : "That didn't work";
}

/** Returns whether the browser has no connection. Servers have no `onLine`. */
function isBrowserOffline(error: unknown): boolean {
  return !isRouteErrorResponse(error) && globalThis.navigator?.onLine === false;
}

/** Returns whether an error is a 4xx response. */
function isClientError(error: unknown): error is ErrorResponse {
  return isRouteErrorResponse(error) && error.status < 500;
}

/** Redirects `/home/` to `/home`. Removes leading slashes, because browsers read `//name` as another host. */
function redirectToNormalizedPath(request: Request) {
  const { pathname, search } = new URL(request.url);
  if (request.method === "POST" || pathname === "/" || !pathname.endsWith("/")) return;
  throw redirect(`/${pathname.replaceAll(/^\/+|\/+$/g, "")}${search}`);
}

function readMessage(body: unknown): string | undefined {
  const isMessage = typeof body === "object" && body !== null && "message" in body;
  return isMessage && typeof body.message === "string" ? body.message : undefined;
}
