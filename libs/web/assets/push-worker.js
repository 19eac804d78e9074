// This service worker shows push messages. It has no fetch handler, so it does not affect how pages load.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const { title, body, url, tag } = messageOf(event.data);
  const icon = new URL('favicon.svg', self.registration.scope).href;
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon, data: { url } }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url));
});

/** Browsers require that every message is shown. If a message is unreadable or has no title, the host name is shown. */
function messageOf(data) {
  const fallback = { title: self.location.host, body: '' };
  try {
    const { title, ...others } = data.json();
    return typeof title === 'string' && title !== '' ? { ...others, title } : fallback;
  } catch {
    return fallback;
  }
}

/**
 * Shows the page at `url`; without a `url`, the page of notices. If a tab already shows the page, this tab is focused.
 * Otherwise a new tab is opened. Opens only pages of this service.
 */
async function open(url) {
  const page = new URL(url ?? 'account/notices', self.registration.scope);
  if (page.origin !== self.location.origin) return;
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const openTab = all.find((client) => client.url === page.href);
  if (openTab) await openTab.focus();
  else await self.clients.openWindow(page.href);
}
