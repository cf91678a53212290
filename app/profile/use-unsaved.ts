import { useState } from "react";

import { getText } from "#app/http/form-text.ts";
import type { ProfileFormName } from "./profile-view.ts";

/** Form values by field name. */
type Values = Record<string, string>;

/** The values of each form when it was last unmounted. In memory only, so they are lost with the page. */
const unmounted = new Map<ProfileFormName, Values & { uid: string }>();

export interface UnsavedOptions {
  form: ProfileFormName;
  uid: string;
  /** The saved values of the fields to keep. */
  saved: Values;
  /** What the user submitted after their session had ended. */
  submitted: Values | null;
}

/**
 * Returns what the user typed and did not save before they left the form or their session ended, and the form's
 * `onUnmount`.
 */
export function useUnsaved({ form, uid, saved, submitted }: UnsavedOptions) {
  const [initial] = useState(() => {
    const kept = unmounted.get(form);
    return (kept?.uid === uid && getUnsaved(kept, saved)) || getUnsaved(submitted, saved);
  });

  function onUnmount(formData: FormData) {
    const values: Values = {};
    for (const name of Object.keys(saved)) values[name] = getText(formData, name);
    unmounted.set(form, { ...values, uid });
  }
  // The form may have been saved since.
  return { unsaved: getUnsaved(initial, saved), onUnmount };
}

/** Returns the values if one of them differs from the saved one. */
function getUnsaved(values: Values | null, saved: Values): Values | null {
  const isUnsaved =
    values && Object.entries(saved).some(([name, value]) => values[name]?.trim() !== value);
  return isUnsaved ? values : null;
}
