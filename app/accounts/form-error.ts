/** The error that a form shows: the provider's message or the specification's, and a hint about what to do. */
export interface FormError {
  message: string;
  hint?: string | undefined;
}
