import { LibraryForm } from "#app/stories/library/library-form.tsx";
import type { HiddenItem } from "#app/stories/library/library.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import { CardSection } from "#app/ui/card-section.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "./hidden-people.module.css";

/**
 * The stories, tags and writers that the user has hidden from lists, each with a button to show it again.
 *
 * @param items `null` when they cannot be read
 */
export function HiddenItems({ items }: { items: HiddenItem[] | null }) {
  return (
    <CardSection id="hidden-items-heading" heading="Hidden stories, tags and writers">
      <p>You don't see them in lists and searches. Their addresses still work.</p>
      <ItemList items={items} />
    </CardSection>
  );
}

function ItemList({ items }: { items: HiddenItem[] | null }) {
  if (!items) return <p>We can't load what you've hidden right now.</p>;
  if (items.length === 0) return <p>You haven't hidden any.</p>;
  return (
    <ul className={styles.list}>
      {items.map(({ kind, id, name }) => (
        <li key={`${kind} ${id}`} className={styles.person}>
          <span>
            {NAMES[kind]} <Bdi className={styles.name}>{name}</Bdi>
          </span>
          <LibraryForm
            action="/hidden"
            field={[kind, id]}
            intents={["hide", "show"]}
            isOn
            messageClassName={undefined}
          >
            {(_, button) => (
              <Button {...button} variant="quiet" aria-pressed={undefined}>
                Show again<VisuallyHidden> {name}</VisuallyHidden>
              </Button>
            )}
          </LibraryForm>
        </li>
      ))}
    </ul>
  );
}

const NAMES = { story: "Story", tag: "Tag", writer: "Writer" };
