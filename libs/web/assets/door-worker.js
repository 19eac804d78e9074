// The service worker of the door page, on which an organizer or a helper with a door link checks tickets at the
// entrance. The worker stores the latest version of the page and its files, so that the page also works without a
// network.
const page = self.location.pathname.replace(/\/worker\.js$/, '');
const base = page.replace(/(\/events\/[^/]+\/door|\/door\/[^/]+)$/, '');
const CACHE_NAME = 'door-1' + page;
const FILES = [
  '/web/tokens.css',
  '/web/style.css',
  '/web/door.css',
  '/web/door.js',
  '/web/jsqr.js',
  '/web/copy.js',
  '/favicon.svg',
].map((path) => base + path);

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE_NAME)
      .then((cache) => cache.addAll([page, ...FILES]))
      .then(() => self.skipWaiting()),
  );
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin || (pathname !== page && !FILES.includes(pathname)))
    return;
  event.respondWith(answer(request, pathname));
});

/**
 * Tries the network first. Without a network, or if the server or a proxy in front of it reports a failure (5xx), the
 * stored copy is returned, if there is one. If the reader no longer has access to the page (404 or a redirect), the
 * stored copy of the page is deleted.
 */
async function answer(request, pathname) {
  const cache = await caches.open(CACHE_NAME);
  try {
    const response = await fetch(request);
    if (response.ok && response.type === 'basic' && !response.redirected) await cache.put(pathname, response.clone());
    else if (pathname === page && (response.status === 404 || response.type === 'opaqueredirect'))
      await cache.delete(pathname);
    return (response.status >= 500 && (await cache.match(pathname))) || response;
  } catch (error) {
    const stored = await cache.match(pathname);
    if (stored) return stored;
    throw error;
  }
}
