import { Form, useSearchParams } from "@remix-run/react";

import iconButton from "#app/ui/icon-button.module.css";
import { Icon } from "#app/ui/icon.tsx";
import input from "#app/ui/text-input.module.css";
import styles from "./search-form.module.css";

/** The id of the search field on /home, which replaces this form in narrow windows. */
export const SEARCH_FIELD_ID = "search";

/** The search in the bar of every page; in narrow windows a link to the search on /home. */
export function SearchForm() {
  const [params] = useSearchParams();
  const query = params.get("q") ?? "";
  return (
    <>
      <search className={styles.wide}>
        <Form className={styles.form} action="/home">
          <SearchField className={styles.field} query={query} />
          <button
            className={`${iconButton.button} ${styles.submit}`}
            type="submit"
            aria-label="Search"
          >
            <Icon name="search" />
          </button>
        </Form>
      </search>
      {/* A plain link, so that the browser moves the focus to the field. */}
      <a
        className={`${iconButton.button} ${styles.narrow}`}
        href={`/home#${SEARCH_FIELD_ID}`}
        aria-label="Search"
      >
        <Icon name="search" />
      </a>
    </>
  );
}

interface SearchFieldProps {
  id?: string;
  className: string | undefined;
  /** The search of the page. */
  query: string;
}

/** The field of the forms that search stories. */
export function SearchField({ id, className, query }: SearchFieldProps) {
  return (
    <input
      id={id}
      className={`${input.input} ${className}`}
      // Resets the field when a navigation changes the search.
      key={query}
      type="search"
      name="q"
      dir="auto"
      defaultValue={query}
      aria-label="Search stories"
      placeholder="Search stories"
      maxLength={100}
      autoComplete="off"
    />
  );
}
