import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/checkbox.tsx";
import { Dialog, DialogTrigger } from "#app/ui/dialog.tsx";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { Select } from "#app/ui/select.tsx";
import { Switch } from "#app/ui/switch.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import styles from "./gallery.module.css";

/** A form with all controls. Submitting it puts the values in the URL. */
export function PlainForm() {
  return (
    <main className={styles.plain}>
      <h1>A plain form</h1>
      <p>Rendered on the server. Turn off JavaScript and submit it: the values are in the URL.</p>
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
          Save my reading position
        </Checkbox>
        <Switch name="sound" value="on" description="A page turning.">
          Sounds
        </Switch>
        <div className={styles.row}>
          <Button type="submit" name="intent" value="save">
            Save
          </Button>
          <Button type="reset" variant="quiet">
            Reset
          </Button>
          <DialogTrigger label="Explain">
            <Dialog title="A dialog">Its button is hidden without JavaScript.</Dialog>
          </DialogTrigger>
          <Menu label="More">
            <MenuItem>Hidden as well</MenuItem>
          </Menu>
        </div>
      </form>
    </main>
  );
}
