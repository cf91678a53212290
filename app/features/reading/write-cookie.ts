/** Writes a cookie with the attributes that the server gives it. */
export function writeCookie(
  { name, maxAgeSeconds }: { name: string; maxAgeSeconds: number },
  value: string,
): void {
  document.cookie = `${name}=${encodeURIComponent(value)}; Max-Age=${maxAgeSeconds}; Path=/; SameSite=Lax`;
}
