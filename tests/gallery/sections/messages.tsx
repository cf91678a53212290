import { useState } from "react";

import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { Progress } from "#app/ui/progress.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { showToast } from "#app/ui/toast.tsx";
import styles from "../gallery.module.css";
import { Specimen, State } from "../specimen.tsx";

export function Messages() {
  return (
    <>
      <Specimen
        name="Message banner"
        notes="Stays unless it has a life. Errors are announced at once."
      >
        <State name="Info, the default">
          <MessageBanner>New stories come on Fridays.</MessageBanner>
        </State>
        <State name="Success, dismissable">
          <MessageBanner severity="success" isDismissable>
            Story published.
          </MessageBanner>
        </State>
        <State name="Warning">
          <MessageBanner severity="warn">You seem to be offline.</MessageBanner>
        </State>
        <State name="Error, with a hint">
          <MessageBanner severity="error" hint="Nothing was lost. Try again in a moment.">
            We couldn&apos;t save the story
          </MessageBanner>
        </State>
      </Specimen>
      <Specimen
        name="Toast"
        notes="25rem wide, or the window less 2rem. At most three; closes after 6 s, paused while one is hovered or focused. F6 moves the focus there. Errors stay."
      >
        <State name="Press to show one" isWide>
          <div className={styles.row}>
            <Button variant="quiet" onPress={() => showToast("Somebody joined the room.")}>
              Info
            </Button>
            <Button
              variant="quiet"
              onPress={() => showToast("Draft saved.", { severity: "success" })}
            >
              Success
            </Button>
            <Button
              variant="quiet"
              onPress={() => showToast("You seem to be offline.", { severity: "warn" })}
            >
              Warning
            </Button>
            <Button
              variant="quiet"
              onPress={() =>
                showToast("The image is too large. Choose one under 2 MB. Your text is safe.", {
                  severity: "error",
                })
              }
            >
              Error
            </Button>
          </div>
        </State>
      </Specimen>
      <ProgressSpecimen />
      <Specimen
        name="Skeleton"
        notes="Has the final size and no animation. Screen readers announce the busy container, not the shapes."
      >
        <State name="Lines">
          <div aria-busy="true">
            <Skeleton width="60%" />
            <Skeleton />
            <Skeleton width="85%" />
          </div>
        </State>
        <State name="A cover">
          <Skeleton shape="box" width="8rem" height="12rem" />
        </State>
        <State name="An avatar and a name">
          <div className={styles.story} aria-busy="true">
            <Skeleton shape="round" width="32px" height="32px" />
            <Skeleton width="9rem" />
          </div>
        </State>
      </Specimen>
    </>
  );
}

function ProgressSpecimen() {
  const [value, setValue] = useState(40);
  return (
    <Specimen
      name="Progress"
      notes="Also as text, because the green of the bar has too little contrast. Indeterminate is a spinner, or pulsing dots with reduced motion."
    >
      <State name="With a value">
        <Progress label="Uploading the image" value={value} />
        <Button variant="quiet" onPress={() => setValue(value >= 100 ? 0 : value + 20)}>
          Next step
        </Button>
      </State>
      <State name="With a text value">
        <Progress label="Chapters read" value={3} maxValue={12} valueLabel="3 of 12" />
      </State>
      <State name="Done">
        <Progress label="Saved" value={100} />
      </State>
      <State name="Indeterminate">
        <Progress label="Looking for stories" />
      </State>
    </Specimen>
  );
}
