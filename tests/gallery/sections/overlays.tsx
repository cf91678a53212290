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
        notes="At most 420 wide. Opens only when the user presses its button. The focus stays inside; Escape closes it and restores the focus."
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
                  <p>It has 2,300 words. This can&apos;t be undone.</p>
                  <DialogActions>
                    <Button variant="quiet" onPress={close}>
                      Cancel
                    </Button>
                    <Button
                      onPress={() => {
                        close();
                        showToast("Draft deleted.", { severity: "success" });
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
            <Dialog title="House rules with a title that is too long for one line">
              {Array.from({ length: 24 }, (_, index) => (
                <p key={index}>Rule {index + 1}: be kind to each other.</p>
              ))}
            </Dialog>
          </DialogTrigger>
        </State>
        <State name="Disabled">
          <DialogTrigger label="Rename…" isDisabled>
            <Dialog title="Never shown">Nothing.</Dialog>
          </DialogTrigger>
        </State>
      </Specimen>
      <MenuSpecimen />
      <Specimen
        name="Tooltip"
        notes="At most 200 wide. Opens after 0.6 s of hovering, at once on keyboard focus; Escape closes it. Never the only source of information: touch screens don't show it."
      >
        <State name="On a button">
          <Tooltip content="The next reader sees it at once">
            <Button variant="quiet">Publish</Button>
          </Tooltip>
        </State>
        <State name="On a button with an icon">
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
  const [last, setLast] = useState("none");
  const [isReportOpen, setIsReportOpen] = useState(false);
  return (
    <Specimen
      name="Menu"
      notes={`Items are 44 high. Arrows, Home, End and first letters move, Enter activates. Last action: ${last}.`}
    >
      <State name="With a label">
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
      <State name="With an icon">
        <Menu label="More for this story" icon={<Icon name="more" />}>
          <MenuItem onAction={() => setLast("shared")}>Share</MenuItem>
          <MenuItem onAction={() => setIsReportOpen(true)}>Report…</MenuItem>
        </Menu>
        <Dialog title="Report this story" isOpen={isReportOpen} onOpenChange={setIsReportOpen}>
          Opened by an item of the menu.
        </Dialog>
      </State>
      <State name="Dense: 36 high, 8 apart">
        <div className={styles.row}>
          <Menu label="Paragraph" isDense>
            <MenuItem>Heading</MenuItem>
            <MenuItem>Text</MenuItem>
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
