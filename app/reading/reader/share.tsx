import { useState } from "react";

export interface ShareProps {
  title: string;
  /** The absolute address of the story. */
  address: string;
}

/**
 * Shares a story with the browser's share sheet. Browsers without one copy the address, and pages without scripts show it as
 * a link.
 */
export function Share({ title, address }: ShareProps) {
  const [message, setMessage] = useState("");
  if (import.meta.env.SSR) return <a href={address}>Link to this story: {address}</a>;

  async function share() {
    setMessage("");
    if ("share" in navigator && (await openShareSheet({ title, url: address }))) return;
    const isCopied = await copy(address);
    setMessage(isCopied ? "Link copied." : `We can't copy the link: ${address}`);
  }

  return (
    <>
      <button type="button" onClick={() => void share()}>
        Share
      </button>
      <output>{message}</output>
    </>
  );
}

/** Returns whether the share sheet was shown, also if the user has closed it. */
async function openShareSheet(shared: { title: string; url: string }): Promise<boolean> {
  try {
    await navigator.share(shared);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === "AbortError";
  }
}

/** Returns whether the text was copied. Browsers allow it on secure pages only. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
