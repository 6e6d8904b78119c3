/**
 * The service worker: opens the app without its server, and holds new versions back until the page is reloaded.
 *
 * It stores the files of the app only. Responses of the API never pass through it.
 */
import { PageSets, type PageSet } from "./pageSets";

declare const self: ServiceWorkerGlobalScope;
/** Inserted by vite.config.ts. */
declare const __PAGES__: PageSet;

const sets = new PageSets(__PAGES__, caches);

self.addEventListener("install", (event) => event.waitUntil(sets.install()));
self.addEventListener("activate", (event) => event.waitUntil(sets.activate().then(() => removeUnused())));

/** The user has chosen to reload: the new version takes over. */
self.addEventListener("message", (event) => {
  if (event.data === "activate") event.waitUntil(self.skipWaiting());
});

self.addEventListener("fetch", (event) => {
  const { request, resultingClientId } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate" && sets.isScreen(pathname)) {
    event.respondWith(sets.page(resultingClientId).then((page) => page ?? fetch(request)));
    event.waitUntil(removeUnused(resultingClientId));
  } else if (sets.isFile(pathname)) {
    event.respondWith(sets.file(pathname).then((file) => file ?? fetch(request)));
  }
});

/** A client that is being opened may not be listed yet. */
async function removeUnused(opening = ""): Promise<void> {
  const clients = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  await sets.removeUnused([...clients.map(({ id }) => id), opening]);
}
