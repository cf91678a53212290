import * as z from "zod";

const addressSchema = z.url({ protocol: /^https$/ });

/** An https URL. Rejects spaces around it, which `z.url` alone would accept and trim. */
export const httpsAddressSchema = z
  .string()
  .refine((address) => addressSchema.safeParse(address).data === address);
