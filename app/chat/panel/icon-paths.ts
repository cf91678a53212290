/** Paths of icons that only the room and the answers use. */
export const LEAF = "M4.5 15.5c0-6.5 4.3-11 11-11 0 6.7-4.5 11-11 11Zm0 0 5-5";
export const UNSEEN =
  "M3 3l14 14M8.2 4.7A8.5 8.5 0 0 1 18.5 10a11 11 0 0 1-2 2.9M5.4 6.1A10.8 10.8 0 0 0 1.5 10a8.7 8.7 0 0 0 12.3 4.3M8.3 8.3a2.4 2.4 0 0 0 3.4 3.4";
export const HIDE =
  "M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5ZM10 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM3.5 16.5l13-13";
