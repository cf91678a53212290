import { useNavigation } from "@remix-run/react";

import { StillTrying } from "#app/accounts/still-trying.tsx";
import type { HiddenPerson } from "#app/chat/hidden.ts";
import { FormErrorBanner } from "#app/site/form-error-banner.tsx";
import { LibraryForm } from "#app/stories/library/library-form.tsx";
import type { HiddenItem } from "#app/stories/library/library.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import { CardSection } from "#app/ui/card-section.tsx";
import { useFocusAfterRemoval } from "#app/ui/use-focus-after-removal.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import { FLASH_LIFE_MS, ProfileForm, SectionFlash, useProfileForm } from "./form-section.tsx";
import styles from "./hidden.module.css";

export interface HiddenPeopleProps {
  /** `null` when they cannot be read. */
  people: HiddenPerson[] | null;
}

/** The people whose messages the user has hidden in the room, each with a button to show them again. */
export function HiddenPeople({ people }: HiddenPeopleProps) {
  const { isPending, result } = useProfileForm("show-person");
  return (
    <CardSection id="hidden-heading" heading="Hidden people">
      <p>You don't see their messages in the room. They aren't told, and still see yours.</p>
      <FormErrorBanner error={result?.banner} />
      <PeopleList people={people} />
      <SectionFlash section="show-person" isPending={isPending} life={FLASH_LIFE_MS} />
    </CardSection>
  );
}

function PeopleList({ people }: Pick<HiddenPeopleProps, "people">) {
  if (!people) return <p>We can't load the people you've hidden right now.</p>;
  if (people.length === 0) return <p>You haven't hidden anyone.</p>;
  return (
    <ul className={styles.list}>
      {people.map((person) => (
        <Person key={person.uid} person={person} />
      ))}
    </ul>
  );
}

function Person({ person: { uid, name } }: { person: HiddenPerson }) {
  const isPending = useNavigation().formData?.get("person") === uid;
  const ref = useFocusAfterRemoval<HTMLFormElement>();
  return (
    <li className={styles.person}>
      <Bdi className={styles.name}>{name}</Bdi>
      <ProfileForm ref={ref} form="show-person">
        <input type="hidden" name="person" value={uid} />
        <Button type="submit" variant="quiet" isPending={isPending}>
          Show again<VisuallyHidden> {name}</VisuallyHidden>
        </Button>
        <StillTrying isPending={isPending} />
      </ProfileForm>
    </li>
  );
}

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
          <LibraryForm action="/hidden" field={[kind, id]} intents={["hide", "show"]} isOn>
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
