import * as z from "zod";

import { PICTURE_PATH } from "./picture-path.ts";

const addressSchema = z.url({ protocol: /^https$/ });

/**
 * An https URL. `z.url` alone would trim spaces. Browsers correct other spellings of `https://` and remove line breaks,
 * but `firestore.rules` reject them.
 */
const httpsAddressSchema = z
  .string()
  .regex(/^https:\/\/.*$/)
  .refine((address) => addressSchema.safeParse(address).data === address);

/** An https URL, or the path of an uploaded picture. */
export const pictureAddressSchema = z.union([httpsAddressSchema, z.string().regex(PICTURE_PATH)]);
