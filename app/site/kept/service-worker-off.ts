import { deleteKeptPages } from "./kept-pages.ts";

// Replaces the service worker in a build with SERVICE_WORKER=off: deletes what is kept, and removes itself.

declare const registration: ServiceWorkerRegistration;
declare function skipWaiting(): Promise<void>;

addEventListener("install", () => void skipWaiting());

addEventListener("activate", () => {
  void deleteKeptPages().finally(() => registration.unregister());
});
