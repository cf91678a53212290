import { PANEL_PARAM } from "#app/site/revalidation.ts";

/** The parameter that opens an empty editor instead of the last draft. */
export const NEW_PARAM = "new";

/** The parameter that shows the form to publish, which asks for everything that readers see. */
export const REVIEW_PARAM = "publish";

/** The parameter that fills in the beginning of a message to the room about the published story. */
export const ANNOUNCE_PARAM = "announce";

/** The parameter that says that the draft was imported, and what was not kept. */
export const IMPORTED_PARAM = "imported";

/** The parameter with the cursor of a list of older drafts. */
export const OLDER_PARAM = "older";

/** The parameter with the version to show in the list of versions. */
const VERSION_PARAM = "version";

export const SIDE_TABS = [
  { id: "drafts", label: "Drafts" },
  { id: "room", label: "Room" },
  { id: "versions", label: "Versions" },
] as const;

export type SideTab = (typeof SIDE_TABS)[number]["id"];

/**
 * Returns the tab in the URL of the Create page; `null` if it names none. Then wide windows show the room beside the
 * editor, and narrow windows the editor alone.
 */
export function findSideTab(query: URLSearchParams): SideTab | null {
  if (query.has(VERSION_PARAM)) return "versions";
  return SIDE_TABS.find(({ id }) => id === query.get(PANEL_PARAM))?.id ?? null;
}

export function getTabLabel(tab: SideTab): string {
  return SIDE_TABS.find(({ id }) => id === tab)?.label ?? "";
}

export function isVersionsTab(query: URLSearchParams): boolean {
  return findSideTab(query) === "versions";
}

/** Returns the address of the Create page with this draft, or a new story, and this tab. */
export function toCreatePath(draftId: string | null, tab: SideTab | null, isNew = false): string {
  const query = [
    ...(draftId === null ? [] : [`draft=${encodeURIComponent(draftId)}`]),
    ...(draftId === null && isNew ? [NEW_PARAM] : []),
    ...(tab === null ? [] : [`${PANEL_PARAM}=${tab}`]),
  ];
  return query.length > 0 ? `/create?${query.join("&")}` : "/create";
}

/** Returns the address of the room beside this draft, with the beginning of a message about the story. */
export function toAnnouncePath(draftId: string): string {
  return `${toCreatePath(draftId, "room")}&${ANNOUNCE_PARAM}#room`;
}

/** Whether only the tab changes, and the page has what the new one shows. */
export function isSameExceptTab(current: URL, next: URL): boolean {
  if (current.pathname !== next.pathname || current.search === next.search) return false;
  const [before, after] = [current.searchParams, next.searchParams];
  if (isVersionsTab(before) || isVersionsTab(after)) return false;
  const getOtherParams = (query: URLSearchParams) => {
    const copy = new URLSearchParams(query);
    copy.delete(PANEL_PARAM);
    return copy.toString();
  };
  return getOtherParams(before) === getOtherParams(after);
}
