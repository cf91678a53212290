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
      <Specimen name="Message banner" notes="Stays unless it is given a life. An error interrupts.">
        <State name="Info, which is the rule">
          <MessageBanner>New stories come on Fridays.</MessageBanner>
        </State>
        <State name="Success, can be closed">
          <MessageBanner severity="success" isDismissable>
            Your story is out.
          </MessageBanner>
        </State>
        <State name="Warning">
          <MessageBanner severity="warn">You seem to be offline.</MessageBanner>
        </State>
        <State name="Error, with a hint">
          <MessageBanner severity="error" hint="Nothing was lost. Try again in a moment.">
            The story could not be saved
          </MessageBanner>
        </State>
      </Specimen>
      <Specimen
        name="Toast"
        notes="25rem, or the window less 2rem; bottom end, three at most, after 6 s gone. All wait while one is pointed at or has the focus. F6 goes there. Errors stay."
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
                showToast("The picture is too large. Choose one below 2 MB; your words are safe.", {
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
        notes="Of the final size, still. Those who listen hear that the place is busy, not the shapes."
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
        <State name="A person and their words">
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
      notes="In words too: the bar's green alone is too pale to carry it. Busy is a ring, and with reduced motion three dots that breathe."
    >
      <State name="Known">
        <Progress label="Sending the picture" value={value} />
        <Button variant="quiet" onPress={() => setValue(value >= 100 ? 0 : value + 20)}>
          A step further
        </Button>
      </State>
      <State name="In words of its own">
        <Progress label="Chapters read" value={3} maxValue={12} valueLabel="3 of 12" />
      </State>
      <State name="Done">
        <Progress label="Saved" value={100} />
      </State>
      <State name="Busy">
        <Progress label="Looking for stories" />
      </State>
    </Specimen>
  );
}
