import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";

/** How much of an id tells people of the same name apart. */
const SHOWN_LENGTH = 8;

/** The start of a user's id, and the whole id as a tooltip. */
export function PersonId({ uid }: { uid: string }) {
  return (
    <code title={uid}>
      <VisuallyHidden>User id </VisuallyHidden>
      {uid.slice(0, SHOWN_LENGTH)}
    </code>
  );
}
