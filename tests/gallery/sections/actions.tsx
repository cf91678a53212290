import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { Specimen, State } from "../specimen.tsx";

export function Actions() {
  return (
    <>
      <Specimen
        name="Button"
        notes="Native. 44 high. Hovered and pressed have their own tokens; a pending button keeps its label and the focus."
      >
        <State name="Primary">
          <Button>Publish</Button>
        </State>
        <State name="Quiet">
          <Button variant="quiet">Save as a draft</Button>
        </State>
        <State name="With an icon">
          <Button variant="quiet">
            <Icon name="moon" />
            Dark
          </Button>
        </State>
        <State name="Primary, pending">
          <Button isPending>Publish</Button>
        </State>
        <State name="Quiet, pending">
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
      <Specimen name="Button link" notes="For navigation, never for an action.">
        <State name="Primary">
          <ButtonLink to="/create">New story</ButtonLink>
        </State>
        <State name="Quiet">
          <ButtonLink to="/home" variant="quiet">
            Go to the stories
          </ButtonLink>
        </State>
      </Specimen>
      <Specimen
        name="Link"
        notes="The underline is thicker on hover. Standalone links are 44 high."
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
