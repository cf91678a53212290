/**
 * Fetches the custom token that signs the browser in to Firebase as the session's user; `null` when signed out.
 *
 * @throws when the server cannot issue a token
 */
export async function fetchToken(): Promise<unknown> {
  const response = await fetch("/firebase-token", { method: "POST" });
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`No token: ${response.status}`);
  return response.json();
}
