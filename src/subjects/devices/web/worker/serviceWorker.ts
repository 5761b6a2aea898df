import { pressNotification, showNotification } from './notifications.ts';

/* Runs while no page is open and shows messages as notifications. It caches neither pages nor answers, so that no
   old prices or builds appear; offline it shows a short message. */

const scope = globalThis as unknown as ServiceWorkerGlobalScope;

const OFFLINE = `<!doctype html><html lang="en-AU"><meta charset="utf-8"><meta name="viewport"
content="width=device-width"><meta name="color-scheme" content="dark light"><title>Bellbird</title>
<h1>Bellbird can’t be reached</h1>
<p>You may be offline, or the server may be down. No prices are shown because they would be out of date.</p>
<p><a href="">Try again</a></p></html>`;

const offline = (): Response =>
  new Response(OFFLINE, {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  });

/** Uses the browser's preloaded request, which starts while this worker wakes up. */
async function fromNetwork(event: FetchEvent): Promise<Response> {
  try {
    const asked = (await event.preloadResponse) as Response | undefined;
    return asked ?? (await fetch(event.request));
  } catch {
    return offline();
  }
}

function parsed(data: PushMessageData | null): unknown {
  try {
    return data?.json();
  } catch {
    return null;
  }
}

/** Sends a changed subscription; the server identifies it by the former one. */
async function renewed({ oldSubscription, newSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  if (!oldSubscription) return;
  const { pushManager } = scope.registration;
  const next = newSubscription ?? (await pushManager.subscribe(oldSubscription.options));
  const { endpoint, keys = {} } = next.toJSON();
  await fetch('/api/devices/moved', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      former: oldSubscription.endpoint,
      endpoint,
      p256dh: keys['p256dh'],
      auth: keys['auth'],
    }),
  });
}

type PushSubscriptionChangeEvent = ExtendableEvent & {
  oldSubscription?: PushSubscription | null;
  newSubscription?: PushSubscription | null;
};

const events = { registration: scope.registration, clients: scope.clients, fetch: fetch.bind(scope) };

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', (event) => {
  // Safari does not support navigation preload.
  const preload = (scope.registration as Partial<ServiceWorkerRegistration>).navigationPreload;
  event.waitUntil(Promise.all([preload?.enable(), scope.clients.claim()]));
});
scope.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(fromNetwork(event));
});
scope.addEventListener('push', (event) => event.waitUntil(showNotification(events, parsed(event.data))));
scope.addEventListener('notificationclick', (event) =>
  event.waitUntil(pressNotification(events, event.notification, event.action)),
);
scope.addEventListener('pushsubscriptionchange', (event) => {
  const change = event as unknown as PushSubscriptionChangeEvent;
  change.waitUntil(renewed(change));
});
