import { removeBidiControls } from "./bidi-controls.ts";

export interface BdiProps {
  className?: string | undefined;
  children: string;
}

/** What a user has written, such as a name, within a line of other text. Neither changes the direction of the other. */
export function Bdi({ className, children }: BdiProps) {
  // Controls in the text could end the isolation that the element begins.
  return <bdi className={className}>{removeBidiControls(children)}</bdi>;
}
