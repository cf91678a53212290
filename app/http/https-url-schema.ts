import * as z from "zod";

const addressSchema = z.url({ protocol: /^https$/ });

/**
 * An https URL. `z.url` alone would trim spaces. Browsers correct other spellings of `https://` and remove line breaks,
 * but `firestore.rules` reject them.
 */
export const httpsAddressSchema = z
  .string()
  .regex(/^https:\/\/.*$/)
  .refine((address) => addressSchema.safeParse(address).data === address);
