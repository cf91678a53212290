import * as z from "zod";

const addressSchema = z.url({ protocol: /^https$/ });

/**
 * An https URL. Rejects spaces around it, which `z.url` alone would accept and trim, and other spellings of `https://`
 * and line breaks, which browsers would correct and `firestore.rules` reject.
 */
export const httpsAddressSchema = z
  .string()
  .regex(/^https:\/\/.*$/)
  .refine((address) => addressSchema.safeParse(address).data === address);
