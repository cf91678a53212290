import { Form, useNavigation } from "@remix-run/react";

import { StillTrying } from "#app/accounts/still-trying.tsx";
import { ReportFields } from "#app/chat/panel/report-fields.tsx";
import type { FormError } from "#app/http/form.ts";
import { getSignInPath } from "#app/session/return-to.ts";
import { FormErrorBanner } from "#app/site/form-error-banner.tsx";
import { MessagePage } from "#app/site/message-page.tsx";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { CardSection } from "#app/ui/card-section.tsx";
import { Link } from "#app/ui/link.tsx";
import styles from "./report-screen.module.css";

/** What the page on which a story is reported shows. */
export interface ReportPageData {
  /** `null` if it is not published, or cannot be read. */
  story: { title: string; author: string } | null;
  isUnavailable: boolean;
  /** The signed-in user. */
  uid: string | undefined;
  /** Whether it is the user's own. */
  isOwn: boolean;
  isSent: boolean;
  /** The path of the page. */
  path: string;
  /** The path of the story. */
  storyPath: string;
}

/** Why a report was not sent, with what was submitted. */
export interface ReportPageResult {
  error: FormError;
  values: Record<"uid" | "kind" | "details", string>;
}

export interface ReportScreenProps extends ReportPageData {
  /** Why the last report was not sent. */
  result: ReportPageResult | undefined;
}

/** The form with which a reader reports a story to the operators. */
export function ReportScreen({ result, ...page }: ReportScreenProps) {
  const { story, isUnavailable, uid, isOwn, isSent, path, storyPath } = page;
  const isPending = useNavigation().formAction === path;
  const back = <ButtonLink to={storyPath}>Back to the story</ButtonLink>;

  if (isSent) {
    return (
      <MessagePage title="Thank you" actions={back}>
        <p>We look at reports every day.</p>
      </MessagePage>
    );
  }
  // What was typed is shown, even if the story is gone.
  if (!story && !result) {
    return isUnavailable ? (
      <MessagePage title="We can't reach the stories right now" actions={back}>
        <p>Try again in a moment.</p>
      </MessagePage>
    ) : (
      <MessagePage title="This story can't be reported">
        <p>It isn't published here.</p>
      </MessagePage>
    );
  }
  return (
    <div className={styles.page}>
      <h1>Report a story</h1>
      {uid === undefined && !result ? (
        <p>
          Please <Link to={getSignInPath(path, "report")}>sign in</Link> to report this story.
        </p>
      ) : isOwn ? (
        <p>You can't report your own story.</p>
      ) : (
        <CardSection id="report-story" heading={story?.title ?? "The story"}>
          {story ? (
            <p>
              by <Bdi>{story.author}</Bdi>
            </p>
          ) : null}
          {isPending ? null : <FormErrorBanner error={result?.error} />}
          <Form method="post" action={path} className={styles.form}>
            {/* Another user may sign in from another tab meanwhile. */}
            <input type="hidden" name="uid" value={result?.values.uid ?? uid ?? ""} />
            <ReportFields copied="the title" {...result?.values} />
            <Button type="submit" isPending={isPending}>
              Report
            </Button>
            <StillTrying isPending={isPending} />
          </Form>
        </CardSection>
      )}
      <p>
        <Link to={storyPath} variant="standalone">
          Back to the story
        </Link>
      </p>
    </div>
  );
}
