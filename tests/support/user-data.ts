import { USER_DATA } from "#app/profile/user-data.server.ts";

const below = USER_DATA.flatMap(({ getPath, ...kind }) =>
  getPath ? [{ ...kind, name: getPath("ana").slice("users/ana/".length) }] : [],
);

/** The names of all collections below `users/{uid}`. */
export const USER_COLLECTIONS = below.map(({ name }) => name);

/** The names of those that the deletion of an account deletes without a step of their own. */
export const SIMPLE_COLLECTIONS = below
  .filter(({ hasDeletionStep }) => !hasDeletionStep)
  .map(({ name }) => name);
