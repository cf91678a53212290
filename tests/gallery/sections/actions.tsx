import { ButtonLink } from "#app/ui/button-link.tsx";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { showToast } from "#app/ui/toast.tsx";
import { Specimen, State } from "../specimen.tsx";

export function Actions() {
  return (
    <>
      <Specimen
        name="Button"
        notes="Native. 44 high. Hovered and pressed take their own tokens; busy keeps its label and its focus."
      >
        <State name="Primary">
          <Button onPress={() => showToast("You pressed it.")}>Publish</Button>
        </State>
        <State name="Quiet">
          <Button variant="quiet">Save as a draft</Button>
        </State>
        <State name="With a drawing">
          <Button variant="quiet">
            <Icon name="moon" />
            Dark
          </Button>
        </State>
        <State name="Primary, busy">
          <Button isPending>Publish</Button>
        </State>
        <State name="Quiet, busy">
          <Button variant="quiet" isPending>
            Save as a draft
          </Button>
        </State>
        <State name="Primary, disabled">
          <Button isDisabled>Publish</Button>
        </State>
        <State name="Quiet, disabled">
          <Button variant="quiet" isDisabled>
            Save as a draft
          </Button>
        </State>
      </Specimen>
      <Specimen name="Button link" notes="Goes somewhere, never does something.">
        <State name="Primary">
          <ButtonLink to="/create">Begin a story</ButtonLink>
        </State>
        <State name="Quiet">
          <ButtonLink to="/home" variant="quiet">
            Go to the stories
          </ButtonLink>
        </State>
      </Specimen>
      <Specimen
        name="Link"
        notes="The line under it grows when it is pointed at. Standalone ones are 44 high."
      >
        <State name="Inline">
          <p>
            You can <Link to="/profile">go to your profile</Link> at any time.
          </p>
        </State>
        <State name="Inline, quiet">
          <p>
            By{" "}
            <Link to="/people" isQuiet>
              Robin Vale
            </Link>
            , yesterday
          </p>
        </State>
        <State name="Standalone">
          <Link to="/stories" variant="standalone">
            All stories
          </Link>
        </State>
        <State name="Standalone, current">
          <Link to="/" variant="standalone" aria-current="page">
            This page
          </Link>
        </State>
      </Specimen>
    </>
  );
}
