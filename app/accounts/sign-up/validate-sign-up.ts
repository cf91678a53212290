import { parseWithZod } from "@conform-to/zod/v4";

import { signUpSchema } from "#app/accounts/credentials-schema.ts";

/** Checks Sign Up by the server's own rules. The heavy part of the page: import it on demand. */
export function checkSignUp({ formData }: { formData: FormData }) {
  return parseWithZod(formData, { schema: signUpSchema });
}
