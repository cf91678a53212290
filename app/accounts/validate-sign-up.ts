import { parseWithZod } from "@conform-to/zod/v4";

import { signUpSchema } from "./credentials-schema.ts";

/** Validates Sign Up with the server's schema. The largest part of the page: import it on demand. */
export function validateSignUp({ formData }: { formData: FormData }) {
  return parseWithZod(formData, { schema: signUpSchema });
}
