const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text for XML, and leaves out characters that XML cannot contain. */
export function escapeXml(text: string): string {
  return removeNonXml(text).replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}

/** Leaves out the characters that XML cannot contain, not even as references. */
export function removeNonXml(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\t\n\r\u0085]|[\uFFFE\uFFFF]/gu, "");
}

/** Asks programs to come back in a minute. */
export function sendUnavailable(): Response {
  const headers = { "Cache-Control": "no-store", "Retry-After": "60" };
  return new Response("We can't load the stories right now.\n", { status: 503, headers });
}
