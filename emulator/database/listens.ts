import type { Database } from "./database.ts";
import { toListenKey, type Listen, type Session } from "./session.ts";

/** Adds a listen to its session and its database. It replaces the one with the same path and tag. */
export function addListen(database: Database, listen: Listen): void {
  const { session, path, tag } = listen;
  const key = toListenKey(path, tag);
  const replaced = session.listens.get(key);
  if (replaced) removeListen(database, replaced);
  session.listens.set(key, listen);
  database.listens.add(path, listen);
  addRuleReads(database, listen);
}

export function removeListen(database: Database, listen: Listen): void {
  const { session, path, tag } = listen;
  session.listens.delete(toListenKey(path, tag));
  database.listens.delete(path, listen);
  removeRuleReads(database, listen);
}

export function removeListens(database: Database, session: Session): void {
  for (const listen of session.listens.values()) removeListen(database, listen);
}

export function addRuleReads(database: Database, listen: Listen): void {
  for (const path of listen.ruleReads) database.ruleReads.add(path, listen);
}

export function removeRuleReads(database: Database, listen: Listen): void {
  for (const path of listen.ruleReads) database.ruleReads.delete(path, listen);
}
