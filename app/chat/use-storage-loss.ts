import { useEffect, useState } from "react";

/** Empty: it only shows whether the browser has deleted the site's databases. */
const DATABASE = "inkglade-room";

/**
 * Returns whether the site's data in this browser was deleted while `isOpen`, as by "Clear site data". Firestore may
 * then have stopped without an error.
 */
export function useStorageLoss(isOpen: boolean): boolean {
  const [isLost, setIsLost] = useState(false);
  useEffect(() => (isOpen ? watchDatabases(() => setIsLost(true)) : undefined), [isOpen]);
  return isLost;
}

/** Calls back once the databases are deleted. Returns the function that stops watching. */
function watchDatabases(onDelete: () => void): () => void {
  let isStopped = false;
  let database: IDBDatabase | undefined;

  function stop() {
    isStopped = true;
    database?.close();
  }

  try {
    const request = indexedDB.open(DATABASE);
    request.onsuccess = () => {
      database = request.result;
      // The browser closes the database when the user clears the site's data.
      database.onclose = onDelete;
      // Another tab wants to delete the database, and waits until this connection is closed.
      database.onversionchange = () => {
        stop();
        onDelete();
      };
      if (isStopped) stop();
    };
  } catch {
    // Without storage there is nothing to delete.
  }
  return stop;
}
