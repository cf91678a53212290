/** Fetches what the browser signs in to Firebase with, as the person of its session; `null` when there is none. */
export async function fetchToken(): Promise<unknown> {
  const response = await fetch("/firebase-token", { method: "POST" });
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`No token: ${response.status}`);
  return response.json();
}
