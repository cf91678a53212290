/** The version of `firestore.rules` and `database.rules.json`. Written by `npm run rules:version`. */
export const RULES_VERSION = "490cb6d8";
