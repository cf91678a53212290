/** The error that a form shows: the provider's message or the specification's, and a hint about what to do. */
export interface FormError {
  message: string;
  hint?: string | undefined;
}

/** Returns an error as one text, for places without a separate hint. */
export function describeError({ message, hint }: FormError): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
