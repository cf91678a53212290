import { index, route, type RouteConfig } from "@remix-run/route-config";

// Paths are case-sensitive: `/HOME` is an unknown page.
const exact = { caseSensitive: true };

export default [
  index("routes/_index.ts"),
  route("home", "routes/home.tsx", exact),
  route("login", "routes/login.tsx", exact),
  route("register", "routes/register.tsx", exact),
  route("profile", "routes/profile.tsx", exact),
  route("create", "routes/create.tsx", exact),
  route("read/:id", "routes/read.$id.tsx", exact),
  route("read/:id/report", "routes/read.$id.report.tsx", exact),
  route("about", "routes/about.tsx", exact),
  route("how-the-room-works", "routes/how-the-room-works.tsx", exact),
  route("pictures/new", "routes/pictures.new.tsx", exact),
  route("privacy", "routes/privacy.tsx", exact),
  route("rooms/general/messages/:id/actions", "routes/room-message-actions.tsx", exact),
  route("rooms/general/appeal", "routes/room-appeal.tsx", exact),

  // For feed readers, search engines and link previews.
  route("feed.xml", "routes/feed[.]xml.ts", exact),
  route("sitemap.xml", "routes/sitemap[.]xml.ts", exact),
  route("robots.txt", "routes/robots[.]txt.ts", exact),
  route("read/:id.png", "routes/read.$id[.]png.ts", exact),
  route("pictures/:uid/:name", "routes/pictures.$uid.$name.ts", exact),

  // Downloads.
  route("read/:id.epub", "routes/read.$id[.]epub.ts", exact),
  route("read/:id.md", "routes/read.$id[.]md.ts", exact),
  route("read/:id.txt", "routes/read.$id[.]txt.ts", exact),
  route("profile/data", "routes/profile.data.ts", exact),

  // Targets of forms and fetches, without a page: with one, a fetch would get its HTML.
  route("logout", "routes/logout.ts", exact),
  route("auth/google", "routes/auth.google.ts", exact),
  route("theme", "routes/theme.ts", exact),
  route("reading-settings", "routes/reading-settings.ts", exact),
  route("reading-position", "routes/reading-position.ts", exact),
  route("reading-positions", "routes/reading-positions.ts", exact),
  route("story-status", "routes/story-status.ts", exact),
  route("thanks", "routes/thanks.ts", exact),
  route("stories/readers", "routes/stories-readers.ts", exact),
  route("saved", "routes/saved.ts", exact),
  route("following", "routes/following.ts", exact),
  route("hidden", "routes/hidden.ts", exact),
  route("answers", "routes/answers.ts", exact),
  route("surprise", "routes/surprise.ts", exact),
  route("consent", "routes/consent.ts", exact),
  route("firebase-token", "routes/firebase-token.ts", exact),
  route("rooms/general", "routes/room.ts", exact),
  route("rooms/general/summary", "routes/room-summary.ts", exact),
  route("rooms/general/live", "routes/room-live.tsx", exact),
  route("rooms/general/messages", "routes/room-messages.ts", exact),
  route("rooms/general/messages/:id", "routes/room-message.ts", exact),
  route("rooms/general/hidden", "routes/room-hidden.ts", exact),
  route("rooms/general/answers", "routes/room-answers.ts", exact),
  route("rooms/general/stories", "routes/room-stories.ts", exact),
  route("profile/reports", "routes/profile.reports.ts", exact),
  route("drafts", "routes/drafts.ts", exact),
  route("pictures", "routes/pictures.ts", exact),

  // For monitors. Without this route, the specification's redirect of unknown addresses would look like a success to them.
  route("healthz", "routes/healthz.ts", exact),

  // The redirect URI that is registered with Google.
  route("auth/google/callback", "routes/auth.google.callback.ts", exact),

  route("*", "routes/$.ts"),
] satisfies RouteConfig;
