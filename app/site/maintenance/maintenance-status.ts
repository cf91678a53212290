/** The body of the 503 during maintenance. Other 503s mean that a service is unavailable. */
export const MAINTENANCE = { isMaintenance: true };
