import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/checkbox.tsx";
import { Dialog, DialogTrigger } from "#app/ui/dialog.tsx";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { Select } from "#app/ui/select.tsx";
import { Switch } from "#app/ui/switch.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import styles from "./gallery.module.css";

/** A form of all controls, to be sent with and without scripts; its answers come back in the address. */
export function PlainForm() {
  return (
    <main className={styles.plain}>
      <h1>A plain form</h1>
      <p>
        As a server sends it. Switch scripts off and send it: what you chose stands in the address.
      </p>
      <form method="get">
        <TextField label="Name" name="name" defaultValue="Robin Vale" />
        <Select label="Paper" name="paper" defaultValue="sepia">
          <option value="paper">Paper</option>
          <option value="sepia">Sepia</option>
          <option value="night">Night</option>
        </Select>
        <Checkbox name="news" value="weekly">
          Send me a letter every week
        </Checkbox>
        <Checkbox name="terms" value="yes" defaultSelected>
          Keep my place in a story
        </Checkbox>
        <Switch name="sound" value="on" description="A page turning.">
          Sounds
        </Switch>
        <div className={styles.row}>
          <Button type="submit" name="intent" value="save">
            Save
          </Button>
          <Button type="reset" variant="quiet">
            As before
          </Button>
          <DialogTrigger label="Explain">
            <Dialog title="A dialog">Its key is there only where it can do something.</Dialog>
          </DialogTrigger>
          <Menu label="More">
            <MenuItem>The same holds here</MenuItem>
          </Menu>
        </div>
      </form>
    </main>
  );
}
