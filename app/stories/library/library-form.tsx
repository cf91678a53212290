import { useFetcher, useLocation } from "@remix-run/react";
import { createContext, useContext, type ReactNode } from "react";

import type { ActionResult } from "#app/session/action-result.ts";
import { findFormError, type Offline } from "#app/site/offline.ts";
import { useFocusAfterRemoval } from "#app/ui/use-focus-after-removal.ts";

export interface LibraryFormProps {
  /** The address of the list. */
  action: `/${string}`;
  /** The hidden field with the id of the item, or with the tag. */
  field: [name: string, value: string];
  /** The intents that add the item to the user's list, and remove it. */
  intents: [on: string, off: string];
  /** Whether the list contains the item. */
  isOn: boolean;
  className?: string | undefined;
  variant?: string;
  messageClassName?: string | undefined;
  /** Returns the button. */
  children: (isOn: boolean, button: LibraryButton) => ReactNode;
}

/** The attributes of the form's button. */
export interface LibraryButton {
  type: "submit";
  name: "intent";
  value: string;
  "aria-pressed": boolean;
}

/** Where on the page a submit without scripts returns to: a hash, or `""` for the top. */
export const PlaceContext = createContext("");

/**
 * A form that adds an item to one of the user's lists, or removes it. Shows the result before the server has responded.
 */
export function LibraryForm(props: LibraryFormProps) {
  const { action, field, intents, className, variant, messageClassName, children } = props;
  const { Form, formData, data } = useFetcher<ActionResult | Offline>();
  // The item may be shown only while the list contains it.
  const ref = useFocusAfterRemoval<HTMLFormElement>();
  const message = formData ? undefined : findFormError(data);
  const { pathname, search } = useLocation();
  const returnTo = pathname + search + useContext(PlaceContext);
  const isOn = formData ? formData.get("intent") === intents[0] : props.isOn;
  return (
    <Form ref={ref} className={className} data-variant={variant} method="post" action={action}>
      <input type="hidden" name={field[0]} value={field[1]} />
      <input type="hidden" name="returnTo" value={returnTo} />
      {children(isOn, {
        type: "submit",
        name: "intent",
        value: intents[isOn ? 1 : 0],
        "aria-pressed": isOn,
      })}
      {message === undefined ? null : (
        <p className={messageClassName} role="alert">
          {message}
        </p>
      )}
    </Form>
  );
}
