import { useState } from "react";

import { Checkbox } from "#app/ui/checkbox.tsx";
import { Select } from "#app/ui/select.tsx";
import { Switch } from "#app/ui/switch.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { Specimen, State } from "../specimen.tsx";

export function Forms() {
  return (
    <>
      <Specimen
        name="Text field"
        notes="46 high. A row is kept free below it, so nothing moves when a fault appears."
      >
        <State name="At rest">
          <TextField label="E-mail" type="email" placeholder="you@example.com" />
        </State>
        <State name="Described, filled in">
          <TextField label="Name" description="As others see it" defaultValue="Robin Vale" />
        </State>
        <State name="Password, with its key">
          <TextField label="Password" type="password" defaultValue="lantern" />
        </State>
        <State name="Faulty">
          <TextField label="Repeat it" defaultValue="lan" errors={["Too short", "Different"]} />
        </State>
      </Specimen>
      <Specimen
        name="Select"
        notes="Native: a phone opens its own wheel, and it works before scripts run."
      >
        <State name="At rest">
          <PaperSelect label="Paper" />
        </State>
        <State name="Described">
          <PaperSelect label="Paper at night" description="From sunset to sunrise" />
        </State>
        <State name="Faulty">
          <PaperSelect label="Paper by day" errors={["This paper is gone. Choose another."]} />
        </State>
        <State name="Disabled">
          <PaperSelect label="Paper for print" isDisabled />
        </State>
      </Specimen>
      <Specimen name="Checkbox" notes="Counts when its form is sent. 44 high, the box 24.">
        <State name="At rest">
          <Checkbox name="news">Send me a letter every week</Checkbox>
        </State>
        <State name="Ticked, described">
          <Checkbox name="place" defaultSelected description="On this device only.">
            Keep my place in a story
          </Checkbox>
        </State>
        <State name="Some of several">
          <SomeOfSeveral />
        </State>
        <State name="Faulty">
          <Checkbox name="rules" errors={["Say yes to go on"]}>
            I have read the house rules
          </Checkbox>
        </State>
        <State name="Disabled">
          <Checkbox isDisabled>Not yet</Checkbox>
        </State>
        <State name="Disabled, ticked">
          <Checkbox isDisabled defaultSelected>
            Always so
          </Checkbox>
        </State>
      </Specimen>
      <Specimen name="Switch" notes="Holds as soon as it is touched. The track is 44 × 24.">
        <State name="Off">
          <Switch name="sounds">Sounds</Switch>
        </State>
        <State name="On, described">
          <Switch name="dots" defaultSelected description="Others see that you are writing.">
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

function SomeOfSeveral() {
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
