import { Form, useNavigation, useSearchParams } from "@remix-run/react";

import { UNTIL_LIFTED } from "#app/chat/moderation/mute.ts";
import type { MutedPage, MutedPerson } from "#app/chat/moderation/reports.ts";
import { UidField } from "#app/profile/form-section.tsx";
import { formatDateTime, formatUntil } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import { CardSection } from "#app/ui/card-section.tsx";
import { useFocusAfterRemoval } from "#app/ui/use-focus-after-removal.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import { PageLinks } from "./page-links.tsx";
import { PersonId } from "./person-id.tsx";
import styles from "./side.module.css";
import { MUTED_PARAM, toReportsPath } from "./reports-view.ts";

export interface MutedPeopleProps {
  muted: MutedPage;
  locale: Locale;
  now: number;
}

const HEADING_ID = "muted-heading";

/** The people who can't post now, each with a button that lifts the mute, and their request to post again, if any. */
export function MutedPeople({ muted: { people, next }, locale, now }: MutedPeopleProps) {
  const isLaterPage = useSearchParams()[0].has(MUTED_PARAM);
  return (
    <CardSection id={HEADING_ID} heading="Muted now">
      {people.length === 0 ? (
        <p>{isLaterPage ? "Nobody else is muted." : "Nobody is muted."}</p>
      ) : null}
      <ul className={styles.list}>
        {people.map((person) => (
          <Person key={person.uid} person={person} locale={locale} now={now} />
        ))}
      </ul>
      <PageLinks param={MUTED_PARAM} next={next} label="Show more" headingId={HEADING_ID} />
    </CardSection>
  );
}

interface PersonProps {
  person: MutedPerson;
  locale: Locale;
  now: number;
}

function Person({ person, locale, now }: PersonProps) {
  const { uid, name, until, at, reason, appeal } = person;
  const [params] = useSearchParams();
  const isPending = useNavigation().formData?.get("person") === uid;
  const ref = useFocusAfterRemoval<HTMLFormElement>();
  return (
    <li className={styles.item}>
      <div className={styles.person}>
        <div className={styles.words}>
          <p>
            <Bdi className={styles.name}>{name}</Bdi>{" "}
            <span className={styles.meta}>
              <PersonId uid={uid} />
            </span>
          </p>
          <p className={styles.meta} suppressHydrationWarning>
            {until >= UNTIL_LIFTED
              ? `Until lifted, since ${formatDateTime(at, locale, now)}`
              : `Until ${formatUntil(until, locale, now)}`}
          </p>
          <p className={styles.meta} dir="auto">
            {reason}
          </p>
        </div>
        <Form ref={ref} method="post" action={toReportsPath(params)} preventScrollReset>
          <input type="hidden" name="intent" value="moderate" />
          <UidField />
          <input type="hidden" name="person" value={uid} />
          <Button type="submit" name="action" value="lift" variant="quiet" isPending={isPending}>
            Lift<VisuallyHidden> the mute of {name}</VisuallyHidden>
          </Button>
        </Form>
      </div>
      {appeal === null ? null : (
        <p className={styles.appeal}>
          Asks to post again: “<Bdi>{appeal}</Bdi>”
        </p>
      )}
    </li>
  );
}
