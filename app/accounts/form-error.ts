/** Why an attempt failed, in the provider's words or the specification's, and what to do about it. */
export interface FormError {
  message: string;
  hint?: string | undefined;
}
