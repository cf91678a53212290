/** A choice on the sign-in page of the Google emulator. */
export type Choice =
  | { person: string }
  | { name: string; email: string; verified?: string }
  | { refuse: "true" };

/** Submits a choice on Google's page at `url`, and returns the address of the redirect. */
export async function chooseAtGoogle(url: string, choice: Choice): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    body: new URLSearchParams(choice),
    redirect: "manual",
  });
  const location = response.headers.get("Location");
  if (location === null) throw new Error(`${response.status} ${await response.text()}`);
  return location;
}
