import input from "#app/ui/text-input.module.css";

export interface SearchFieldProps {
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
      defaultValue={query}
      aria-label="Search stories"
      placeholder="Search stories"
      maxLength={100}
      autoComplete="off"
    />
  );
}
