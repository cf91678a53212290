import * as z from "zod";

const addressSchema = z.url({ protocol: /^https$/ });

/** An https address exactly as it is given: `z.url` alone would cut blanks off its ends. */
export const httpsAddressSchema = z
  .string()
  .refine((address) => addressSchema.safeParse(address).data === address);
