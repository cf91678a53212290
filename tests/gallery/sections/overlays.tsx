import { useState } from "react";

import { Button } from "#app/ui/button.tsx";
import { Dialog, DialogActions, DialogTrigger } from "#app/ui/dialog.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast.tsx";
import { Tooltip } from "#app/ui/tooltip.tsx";
import styles from "../gallery.module.css";
import { Specimen, State } from "../specimen.tsx";

export function Overlays() {
  return (
    <>
      <Specimen
        name="Dialog"
        notes="At most 420 wide. Opens by a press only; the focus stays inside, Escape closes it and the focus goes back."
      >
        <State name="With a form">
          <DialogTrigger label="Rename…">
            <Dialog title="Rename this draft">
              {({ close }) => (
                <>
                  <TextField label="Title" defaultValue="Nine Doors Down the Hill" />
                  <DialogActions>
                    <Button variant="quiet" onPress={close}>
                      Cancel
                    </Button>
                    <Button onPress={close}>Rename</Button>
                  </DialogActions>
                </>
              )}
            </Dialog>
          </DialogTrigger>
        </State>
        <State name="A question">
          <DialogTrigger label="Delete…">
            <Dialog title="Delete this draft?" role="alertdialog">
              {({ close }) => (
                <>
                  <p>It has 2,300 words. Nobody can bring them back.</p>
                  <DialogActions>
                    <Button variant="quiet" onPress={close}>
                      Keep it
                    </Button>
                    <Button
                      onPress={() => {
                        close();
                        showToast("The draft is gone.", { severity: "success" });
                      }}
                    >
                      Delete
                    </Button>
                  </DialogActions>
                </>
              )}
            </Dialog>
          </DialogTrigger>
        </State>
        <State name="Longer than the window">
          <DialogTrigger label="House rules">
            <Dialog title="House rules, in full and with all their reasons">
              {Array.from({ length: 24 }, (_, index) => (
                <p key={index}>Rule {index + 1}: be as kind as you would be by lamplight.</p>
              ))}
            </Dialog>
          </DialogTrigger>
        </State>
        <State name="Its key, disabled">
          <DialogTrigger label="Rename…" isDisabled>
            <Dialog title="Never shown">Nothing.</Dialog>
          </DialogTrigger>
        </State>
      </Specimen>
      <MenuSpecimen />
      <Specimen
        name="Tooltip"
        notes="At most 200 wide. After 0.6 s of pointing, at once by Tab; Escape closes it. Nothing is said only here: touch shows none."
      >
        <State name="On a button">
          <Tooltip content="The next reader sees it at once">
            <Button variant="quiet">Publish</Button>
          </Tooltip>
        </State>
        <State name="On a key with a drawing">
          <Tooltip content="Dark">
            <Button variant="quiet" aria-label="Use dark theme">
              <Icon name="moon" />
            </Button>
          </Tooltip>
        </State>
        <State name="On a link, longer than its width">
          <Tooltip
            content="A story of four chapters, told by five people who never met"
            placement="bottom"
          >
            <Link to="/read/the-glass-apiary" variant="standalone">
              The Glass Apiary
            </Link>
          </Tooltip>
        </State>
      </Specimen>
    </>
  );
}

function MenuSpecimen() {
  const [last, setLast] = useState("nothing yet");
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Specimen
      name="Menu"
      notes={`Items are 44 high; arrows, Home, End and first letters move, Enter acts. Last act: ${last}.`}
    >
      <State name="With words">
        <Menu label="Story" onAction={(key) => setLast(String(key))}>
          <MenuItem id="edited">Edit</MenuItem>
          <MenuItem id="copied">Copy the link</MenuItem>
          <MenuItem id="printed" isDisabled>
            Print
          </MenuItem>
          <MenuItem id="deleted" tone="danger">
            Delete
          </MenuItem>
        </Menu>
      </State>
      <State name="With a drawing">
        <Menu label="More for this story" icon={<Icon name="more" />}>
          <MenuItem onAction={() => setLast("shared")}>Share</MenuItem>
          <MenuItem onAction={() => setIsAsking(true)}>Report…</MenuItem>
        </Menu>
        <Dialog title="Report this story" isOpen={isAsking} onOpenChange={setIsAsking}>
          Opened by an item of the menu.
        </Dialog>
      </State>
      <State name="In a dense bar: 36, with 8 between">
        <div className={styles.row}>
          <Menu label="Paragraph" isDense>
            <MenuItem>Heading</MenuItem>
            <MenuItem>Words</MenuItem>
          </Menu>
          <Menu label="Layout" icon={<Icon name="device" />} isDense>
            <MenuItem>Narrow</MenuItem>
            <MenuItem>Wide</MenuItem>
          </Menu>
          <Menu label="More" icon={<Icon name="more" />} isDense placement="bottom end">
            <MenuItem>Count the words</MenuItem>
          </Menu>
        </div>
      </State>
    </Specimen>
  );
}
