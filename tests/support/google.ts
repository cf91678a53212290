/** What a person does on the page of the stand-in for Google. */
export type Choice =
  | { person: string }
  | { name: string; email: string; verified?: string }
  | { refuse: "true" };

/** Makes the choice on the page that a sign-in led to, and returns the address that the browser goes on to. */
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
