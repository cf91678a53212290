/** What the server answers while the app is switched off. A 503 alone may mean that a database is down. */
export const MAINTENANCE = { isMaintenance: true };
