import * as z from "zod";

/** The colours a person asked for. `system` follows the device. */
export const themeSchema = z.enum(["light", "dark", "system"]);

export type Theme = z.infer<typeof themeSchema>;
