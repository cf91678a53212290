import { Link } from "@remix-run/react";
import { useState } from "react";

import { LibraryForm } from "#app/stories/library/library-form.tsx";
import type { HiddenItem } from "#app/stories/library/library.ts";
import {
  isFilteredSearch,
  toSearchPath,
  type Sort,
  type StorySearch,
  type SearchPage,
} from "#app/stories/search.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "./filters.module.css";
import writerStyles from "./writer-head.module.css";

const TYPES = [
  { type: undefined, name: "All" },
  { type: "book", name: "Books" },
  { type: "quest", name: "Quests" },
  { type: "story", name: "Stories" },
] as const;

const SORTS: { sort: Sort; name: string }[] = [
  { sort: "new", name: "Newest" },
  { sort: "updated", name: "Updated" },
  { sort: "short", name: "Shortest" },
  { sort: "long", name: "Longest" },
];

/** What hiding does. */
const RESULTS = {
  tag: "Stories with it aren't in your lists.",
  writer: "Their stories aren't in your lists.",
};

export interface FiltersProps {
  search: SearchPage;
  /** Tags to add to the search. */
  offeredTags: readonly string[];
  hidden: readonly HiddenItem[];
  isTagHidden: boolean;
}

/** Links that narrow the list: by type, and by tags. */
export function Filters({ search, offeredTags, hidden, isTagHidden }: FiltersProps) {
  const { type, tags, withoutTags, language, languages } = search;
  const [onlyTag] = tags.length === 1 ? tags : [];
  const isTagged = tags.length + withoutTags.length + offeredTags.length > 0;
  return (
    <nav className={styles.filters} aria-label="Filters">
      <ul className={styles.group} aria-label="Kind">
        {TYPES.map(({ type: own, name }) => (
          <li key={name}>
            <Link
              className={styles.filter}
              to={toSearchPath(search, { type: own })}
              aria-current={own === type || undefined}
              data-strong
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
      {languages.length > 1 || language !== undefined ? (
        <ul className={styles.group} aria-label="Language">
          {[{ tag: undefined, name: "All languages" }, ...languages].map(({ tag, name }) => (
            <li key={name}>
              <Link
                className={styles.filter}
                to={toSearchPath(search, { language: tag })}
                lang={tag}
                aria-current={tag === language || undefined}
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      {isTagged ? (
        <ul className={styles.group} aria-label="Tags">
          {tags.map((tag) => (
            <RemoveLink
              key={tag}
              name={tag}
              to={toSearchPath(search, { tags: tags.filter((other) => other !== tag) })}
            />
          ))}
          {withoutTags.map((tag) => (
            <RemoveLink
              key={tag}
              name={`not ${tag}`}
              to={toSearchPath(search, {
                withoutTags: withoutTags.filter((other) => other !== tag),
              })}
            />
          ))}
          {offeredTags.map((tag) => (
            <li key={tag}>
              <Link className={styles.filter} to={toSearchPath(search, { tags: [...tags, tag] })}>
                {tag}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      {offeredTags.length > 0 && isFilteredSearch(search) ? (
        <details className={styles.excluded}>
          <summary className={styles.summary}>Leave a tag out</summary>
          <ul className={styles.group}>
            {offeredTags.map((tag) => (
              <li key={tag}>
                <Link
                  className={styles.filter}
                  to={toSearchPath(search, { withoutTags: [...withoutTags, tag] })}
                >
                  <VisuallyHidden>Leave out </VisuallyHidden>
                  {tag}
                </Link>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {onlyTag === undefined ? null : (
        <HideForm key={onlyTag} kind="tag" id={onlyTag} isHidden={isTagHidden} />
      )}
      {hidden.length > 0 ? (
        <details className={styles.excluded}>
          <summary className={styles.summary}>Hidden from your lists: {hidden.length}</summary>
          <ul className={styles.group}>
            {hidden.map((item) => (
              <li key={`${item.kind} ${item.id}`}>
                <ShowForm item={item} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </nav>
  );
}

/** A list of links that sort the stories. Give it a key that changes with the search, so that it closes. */
export function SortMenu({ search }: { search: StorySearch }) {
  const unsorted = { sort: undefined, name: search.query ? "Best match" : "Default order" };
  // A list with nothing but published stories has no default order: it begins with the newest.
  const all = search.writer || search.type === "story" ? SORTS : [unsorted, ...SORTS];
  const current = all.find(({ sort }) => sort === search.sort) ?? all[0];
  return (
    <details className={styles.sort}>
      <summary className={styles.sortSummary}>
        Sort: {current?.name}
        <Icon name="down" />
      </summary>
      <ul className={styles.menu}>
        {all.map(({ sort, name }) => (
          <li key={name}>
            <Link
              className={styles.link}
              to={toSearchPath(search, { sort })}
              aria-current={name === current?.name || undefined}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}

export interface HideFormProps extends Pick<HiddenItem, "id"> {
  kind: keyof typeof RESULTS;
  isHidden: boolean;
}

/** Hides a tag or a writer from lists, or shows it again. Says so, because the list of this page stays the same. */
export function HideForm({ kind, id, isHidden }: HideFormProps) {
  const [wasHidden] = useState(isHidden);
  return (
    <LibraryForm
      action="/hidden"
      field={[kind, id]}
      intents={["hide", "show"]}
      isOn={isHidden}
      messageClassName={writerStyles.message}
    >
      {(isOn, button) => (
        <>
          <output>{isOn ? `You've hidden this ${kind}. ${RESULTS[kind]} ` : ""}</output>
          {/* Not `aria-pressed` too, because the name already says it. */}
          <Button {...button} variant="quiet" aria-pressed={undefined}>
            {isOn ? getUndoName(wasHidden) : `Hide this ${kind}`}
          </Button>
        </>
      )}
    </LibraryForm>
  );
}

/** Shows something hidden in lists again. */
function ShowForm({ item: { kind, id, name } }: { item: HiddenItem }) {
  return (
    <LibraryForm
      action="/hidden"
      field={[kind, id]}
      intents={["hide", "show"]}
      isOn
      messageClassName={writerStyles.message}
    >
      {(_, button) => (
        <button {...button} className={styles.filter} aria-pressed={undefined} data-chosen>
          <VisuallyHidden>Show the {kind} again: </VisuallyHidden>
          <Bdi>{name}</Bdi>
          <Icon name="close" className={styles.icon} />
        </button>
      )}
    </LibraryForm>
  );
}

function getUndoName(wasHidden: boolean): string {
  return wasHidden ? "Show again" : "Undo";
}

/** A tag of the search. Its link removes it. */
function RemoveLink({ name, to }: { name: string; to: string }) {
  return (
    <li>
      <Link className={styles.filter} to={to} data-chosen>
        <VisuallyHidden>Remove </VisuallyHidden>
        {name}
        <Icon name="close" className={styles.icon} />
      </Link>
    </li>
  );
}
