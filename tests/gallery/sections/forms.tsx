import { useState } from "react";

import { RadioGroup } from "#app/ui/radio-group.tsx";
import { Switch, type SwitchProps } from "#app/ui/switch.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { Specimen, State } from "../specimen.tsx";

const MESSAGES = [
  { value: "delete", label: "Delete" },
  { value: "anonymous", label: "Keep as “Anonymous”" },
];

export function Forms() {
  return (
    <>
      <Specimen
        name="Text field"
        notes="46 high. Space for an error is reserved below it, so nothing shifts when one appears."
      >
        <State name="Default">
          <TextField label="E-mail" type="email" placeholder="you@example.com" />
        </State>
        <State name="With a description and a value">
          <TextField label="Name" description="As others see it" defaultValue="Robin Vale" />
        </State>
        <State name="Password, with a Show button">
          <TextField label="Password" type="password" defaultValue="lantern" />
        </State>
        <State name="With errors">
          <TextField label="Repeat it" defaultValue="lan" errors={["Too short", "Different"]} />
        </State>
      </Specimen>
      <Specimen name="Radio group" notes="Native. Each option is 44 high.">
        <State name="Default">
          <RadioGroup
            label="Your messages in the room"
            name="messages"
            options={MESSAGES}
            defaultValue="delete"
          />
        </State>
        <State name="With errors">
          <RadioGroup
            label="Your messages elsewhere"
            name="other-messages"
            options={MESSAGES}
            errors={["Choose what happens to your messages"]}
          />
        </State>
      </Specimen>
      <Specimen name="Switch" notes="Takes effect at once. The track is 44 × 24.">
        <State name="Off">
          <OwnSwitch>Sounds</OwnSwitch>
        </State>
        <State name="On, with a description">
          <OwnSwitch isFirstOn description="Others see that you are typing.">
            Typing dots
          </OwnSwitch>
        </State>
      </Specimen>
    </>
  );
}

function OwnSwitch({
  isFirstOn = false,
  ...props
}: Pick<SwitchProps, "description" | "children"> & { isFirstOn?: boolean }) {
  const [isOn, setIsOn] = useState(isFirstOn);
  return <Switch {...props} isSelected={isOn} onChange={setIsOn} />;
}
