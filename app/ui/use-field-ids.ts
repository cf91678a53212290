import { useId } from "react";

export interface FieldIds {
  id: string;
  descriptionId: string;
  errorId: string;
  /** The field's `aria-describedby`: the ids of its description and errors, if it has them. */
  describedBy: string | undefined;
}

/** Returns the ids of a field and of what describes it. @param ownId instead of a generated one */
export function useFieldIds(
  ownId: string | undefined,
  description: string | undefined,
  errors: readonly string[] = [],
): FieldIds {
  const generatedId = useId();
  const id = ownId ?? generatedId;
  const descriptionId = `${id}-description`;
  const errorId = `${id}-error`;
  const describedBy = [description && descriptionId, errors.length > 0 && errorId];
  return {
    id,
    descriptionId,
    errorId,
    describedBy: describedBy.filter(Boolean).join(" ") || undefined,
  };
}
