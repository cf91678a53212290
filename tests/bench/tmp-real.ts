import { createServer, request } from "node:http";
import { startProduction } from "#tests/bench/production.ts";
import { toCookieHeader } from "#tests/support/routes.ts";
let isCut = false; const seen: string[] = [];
function proxy(host: string) { const { hostname, port } = new URL(`http://${host}`);
  const s = createServer((i, o) => { seen.push(`${i.method} ${i.url?.replace(/.*documents/, "").slice(0,60)}`); if (isCut) { i.socket.destroy(); return; }
    const p = request({ hostname, port, method: i.method, path: i.url, headers: i.headers }, (a) => { o.writeHead(a.statusCode ?? 502, a.headers); a.pipe(o); }); i.pipe(p); });
  return new Promise<string>((r) => s.listen(0, "127.0.0.1", () => r(`127.0.0.1:${(s.address() as {port:number}).port}`))); }
await using app = await startProduction({ messages: 1, reach: async (h) => ({ ...h, FIRESTORE_EMULATOR_HOST: await proxy(h.FIRESTORE_EMULATOR_HOST) }) });
const get = (p: string, c: string) => fetch(app.url + p, { headers: { Cookie: c }, redirect: "manual" });
const cookie = await app.addReader();
console.log("home shows account", (await (await get("/home", cookie)).text()).includes("@example.com"), (await get("/profile", cookie)).status);
isCut = true;
const t0 = Date.now();
const out = await fetch(app.url + "/logout", { method: "POST", headers: { Origin: app.url, Cookie: cookie }, body: new URLSearchParams(), redirect: "manual" });
console.log(out.status, out.headers.getSetCookie().map((c) => c.slice(0, 40)), Date.now() - t0, "ms");
console.log("copy at once", (await get("/profile", cookie)).status);
seen.length = 0; isCut = false;
await new Promise((r) => setTimeout(r, 5000));
console.log("background:", seen);
const pending = toCookieHeader(out.headers);
console.log("next visit", (await get("/home", pending)).headers.getSetCookie().map((c) => c.slice(0, 60)));
const c2 = await app.addReader();
console.log("measure after sign-in"); seen.length = 0; await (await get("/home", c2)).text(); console.log(seen);
seen.length=0; await new Promise((r) => setTimeout(r, 52000)); await (await get("/home", c2)).text(); console.log("after a pause", seen);
seen.length=0; await (await get("/read/the-lamplighters-orchard", c2)).text(); console.log("read", seen);
seen.length=0; await new Promise((r) => setTimeout(r, 52000)); await (await get("/read/the-lamplighters-orchard", c2)).text(); console.log("read after a pause", seen);
process.exit(0);
