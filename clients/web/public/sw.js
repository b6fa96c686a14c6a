// Keeps the page itself, so that it opens when the server is away and can say so. Nothing of a
// game is kept: that comes over the socket.

const CACHE = "bluebear-1";

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

/** Named by their hashes, assets never change: what is kept is good. */
async function kept(request) {
  const cache = await caches.open(CACHE);
  const found = await cache.match(request);
  if (found) return found;
  const fresh = await fetch(request);
  if (fresh.ok) await cache.put(request, fresh.clone());
  return fresh;
}

/** The page is asked for anew each time, and taken from the cache only when nobody answers. */
async function page(request) {
  const cache = await caches.open(CACHE);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) {
      const assets = (await fresh.clone().text()).match(/\/assets\/[\w.-]+/g) ?? [];
      for (const old of await cache.keys()) {
        const { pathname } = new URL(old.url);
        if (pathname.startsWith("/assets/index-") && !assets.includes(pathname)) await cache.delete(old);
      }
      await cache.put("/", fresh.clone());
    }
    return fresh;
  } catch (error) {
    const found = await cache.match("/");
    if (found) return found;
    throw error;
  }
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(kept(request));
  else if (request.mode === "navigate") event.respondWith(page(request));
});
