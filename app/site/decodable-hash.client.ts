import { toDecodableHash } from "#app/http/decodable-hash.ts";

/** Makes the address's hash decodable before React Router reads it. Call it before the router is created. */
export function keepHashDecodable(): void {
  window.addEventListener("popstate", () => {
    const hash = toDecodableHash(location.hash);
    if (hash !== location.hash) history.replaceState(history.state, "", hash);
  });
}
