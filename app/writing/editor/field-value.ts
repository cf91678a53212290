/** Changes a field as if the user had typed the value, so that the form's listeners notice. */
export function setFieldValue(field: HTMLInputElement, value: string): void {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
