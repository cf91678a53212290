import { useState } from "react";

import { Checkbox } from "#app/ui/checkbox.tsx";
import { RadioGroup } from "#app/ui/radio-group.tsx";
import { Select } from "#app/ui/select.tsx";
import { Switch } from "#app/ui/switch.tsx";
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
      <Specimen
        name="Select"
        notes="Native: phones show their own picker, and it works before hydration."
      >
        <State name="Default">
          <PaperSelect label="Paper" />
        </State>
        <State name="With a description">
          <PaperSelect label="Paper at night" description="From sunset to sunrise" />
        </State>
        <State name="With errors">
          <PaperSelect
            label="Paper by day"
            errors={["This paper is not available. Choose another."]}
          />
        </State>
        <State name="Disabled">
          <PaperSelect label="Paper for print" isDisabled />
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
      <Specimen
        name="Checkbox"
        notes="Takes effect when its form is submitted. 44 high, the box 24."
      >
        <State name="Default">
          <Checkbox name="news">Send me a letter every week</Checkbox>
        </State>
        <State name="Ticked, with a description">
          <Checkbox name="position" defaultSelected description="On this device only.">
            Save my reading position
          </Checkbox>
        </State>
        <State name="Indeterminate">
          <IndeterminateCheckbox />
        </State>
        <State name="With errors">
          <Checkbox name="rules" errors={["Accept the rules to continue"]}>
            I have read the house rules
          </Checkbox>
        </State>
        <State name="Disabled">
          <Checkbox isDisabled>Not yet</Checkbox>
        </State>
        <State name="Disabled, ticked">
          <Checkbox isDisabled defaultSelected>
            Always on
          </Checkbox>
        </State>
      </Specimen>
      <Specimen name="Switch" notes="Takes effect at once. The track is 44 × 24.">
        <State name="Off">
          <Switch name="sounds">Sounds</Switch>
        </State>
        <State name="On, with a description">
          <Switch name="dots" defaultSelected description="Others see that you are typing.">
            Typing dots
          </Switch>
        </State>
        <State name="Disabled">
          <Switch isDisabled>Vibration</Switch>
        </State>
        <State name="Disabled, on">
          <Switch isDisabled defaultSelected>
            Safe links
          </Switch>
        </State>
      </Specimen>
    </>
  );
}

function PaperSelect(props: {
  label: string;
  description?: string;
  errors?: string[];
  isDisabled?: boolean;
}) {
  return (
    <Select {...props} defaultValue="sepia">
      <optgroup label="Bright">
        <option value="paper">Paper</option>
        <option value="white">White</option>
        <option value="sepia">Sepia</option>
      </optgroup>
      <optgroup label="Dark">
        <option value="dusk">Dusk</option>
        <option value="night">Night</option>
      </optgroup>
    </Select>
  );
}

function IndeterminateCheckbox() {
  const [chosen, setChosen] = useState({ books: true, quests: false });
  const count = Number(chosen.books) + Number(chosen.quests);
  return (
    <div>
      <Checkbox
        isSelected={count === 2}
        isIndeterminate={count === 1}
        onChange={(isSelected) => setChosen({ books: isSelected, quests: isSelected })}
      >
        Everything
      </Checkbox>
      <Checkbox isSelected={chosen.books} onChange={(books) => setChosen({ ...chosen, books })}>
        Books
      </Checkbox>
      <Checkbox isSelected={chosen.quests} onChange={(quests) => setChosen({ ...chosen, quests })}>
        Quests
      </Checkbox>
    </div>
  );
}
