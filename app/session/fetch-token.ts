/**
 * Fetches the custom token by which the browser signs in to Firebase as the user of its session; `null` when signed out.
 *
 * @throws when the server cannot issue one
 */
export async function fetchToken(): Promise<unknown> {
  const response = await fetch("/firebase-token", { method: "POST" });
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`No token: ${response.status}`);
  return response.json();
}
