import * as fc from "fast-check";

/** Property tests try the same values in every run. Set PROPERTY_SEED to try others. */
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_122);

fc.configureGlobal({ seed: SEED });
