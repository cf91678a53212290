import { useRef, useState, type ReactNode } from "react";

import { Button } from "#app/ui/button.tsx";
import { Dialog, DialogActions } from "#app/ui/dialog.tsx";
import { MenuItem, MenuPopover } from "#app/ui/menu.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { Specimen, State } from "../specimen.tsx";

export function Overlays() {
  return (
    <>
      <Specimen
        name="Dialog"
        notes="At most 420 wide. The focus stays inside; Escape closes it and restores the focus."
      >
        <State name="With a form">
          <OpenedByButton label="Rename…">
            {(close) => (
              <Dialog title="Rename this draft" onClose={close}>
                <TextField label="Title" defaultValue="Nine Doors Down the Hill" />
                <DialogActions>
                  <Button variant="quiet" onPress={close}>
                    Cancel
                  </Button>
                  <Button onPress={close}>Rename</Button>
                </DialogActions>
              </Dialog>
            )}
          </OpenedByButton>
        </State>
        <State name="Longer than the window">
          <OpenedByButton label="House rules">
            {(close) => (
              <Dialog
                title="House rules with a title that is too long for one line"
                onClose={close}
              >
                {Array.from({ length: 24 }, (_, index) => (
                  <p key={index}>Rule {index + 1}: be kind to each other.</p>
                ))}
              </Dialog>
            )}
          </OpenedByButton>
        </State>
      </Specimen>
      <MenuSpecimen />
    </>
  );
}

/** A button that opens what `children` render until they call `close`. */
function OpenedByButton({
  label,
  children,
}: {
  label: string;
  children: (close: () => void) => ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" onPress={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen ? children(() => setIsOpen(false)) : null}
    </>
  );
}

function MenuSpecimen() {
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [last, setLast] = useState("none");
  return (
    <Specimen
      name="Menu"
      notes={`Items are 44 high. Arrows, Home, End and first letters move, Enter activates. Last action: ${last}.`}
    >
      <State name="Actions">
        <Button ref={trigger} variant="quiet" onPress={() => setIsOpen(true)}>
          Story
        </Button>
        {isOpen ? (
          <MenuPopover
            label="Story"
            placement="bottom start"
            triggerRef={trigger}
            onClose={() => setIsOpen(false)}
          >
            <MenuItem onAction={() => setLast("edited")}>Edit</MenuItem>
            <MenuItem onAction={() => setLast("copied")}>Copy the link</MenuItem>
            <MenuItem tone="danger" onAction={() => setLast("deleted")}>
              Delete
            </MenuItem>
          </MenuPopover>
        ) : null}
      </State>
    </Specimen>
  );
}
