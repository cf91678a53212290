export interface BdiProps {
  className?: string | undefined;
  children: string;
}

/** A user's text, such as a name, within a line of other text. Neither affects the direction of the other. */
export function Bdi({ className, children }: BdiProps) {
  // Controls in the text could end the isolation that the element begins.
  return <bdi className={className}>{removeBidiControls(children)}</bdi>;
}

/** Removes the invisible characters that change the direction of the text around them, such as U+202E. */
export function removeBidiControls(text: string): string {
  return text.replaceAll(/\p{Bidi_Control}/gu, "");
}
