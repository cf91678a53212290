import { toSearchPath, type Sort, type StorySearch } from "#app/stories/search-params.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "@remix-run/react";
import styles from "./sort-menu.module.css";

const SORTS: { sort: Sort; name: string }[] = [
  { sort: "new", name: "Newest" },
  { sort: "updated", name: "Updated" },
  { sort: "short", name: "Shortest" },
  { sort: "long", name: "Longest" },
];

/** A list of links that sort the stories. Give it a key that changes with the search, so that it closes. */
export function SortMenu({ search }: { search: StorySearch }) {
  const unsorted = { sort: undefined, name: search.query ? "Best match" : "Default order" };
  // A list with nothing but published stories has no default order: it begins with the newest.
  const all = search.writer || search.type === "story" ? SORTS : [unsorted, ...SORTS];
  const current = all.find(({ sort }) => sort === search.sort) ?? all[0];
  return (
    <details className={styles.sort}>
      <summary className={styles.summary}>
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
