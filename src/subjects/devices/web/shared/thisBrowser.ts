import { isRecord } from '#lib/json.ts';
import { readCount } from '#lib/read.ts';
import { messageOf, readerOf, request } from '#web/api/client.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';
import { deviceAnswer } from '#subjects/devices/answers/devices.ts';
import type { Subscription } from '#subjects/devices/rules/pushEndpoint.ts';
import type { Device } from './devices.ts';

const KEY = 'bellbird.device';

/** Whether this browser can show messages as notifications, as far as is known without asking anybody. */
export type BrowserAbility =
  | 'able'
  /** Its address is no https address. */
  | 'insecure'
  /** An iPhone or iPad, where the page must be on the home screen first. */
  | 'homeScreen'
  | 'unsupported'
  /** Its person said no, which only the browser's settings undo. */
  | 'denied';

/** The device that this browser is; null while it is none, or may be one that is not known here. */
export const thisDeviceId = (): number | null =>
  readStored(KEY, (value) => (isRecord(value) ? readCount(value['id']) : null));

const rememberDevice = (id: number | null): void => writeStored(KEY, id === null ? null : { id });

/** An iPad says that it is a Mac; no Mac has a touch screen. */
function isApplePhone({ userAgent, maxTouchPoints }: Navigator): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
}

const isOnHomeScreen = (): boolean =>
  ('standalone' in navigator && navigator.standalone === true) ||
  window.matchMedia('(display-mode: standalone)').matches;

export function browserAbility(): BrowserAbility {
  if (!window.isSecureContext) return 'insecure';
  if (isApplePhone(navigator) && !isOnHomeScreen()) return 'homeScreen';
  const canPush = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!canPush) return 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : 'able';
}

/** The worker that shows notifications, also while no page is open. @throws what the browser says */
export async function startWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register('/sw.js');
  return navigator.serviceWorker.ready;
}

const publicKeyOf = (subscription: PushSubscription): string => {
  const key = subscription.options.applicationServerKey;
  if (key === null) return '';
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};

/** This browser's subscription with the server's key, made where there is none. @throws what the browser says */
async function subscribed({ pushManager }: ServiceWorkerRegistration, publicKey: string) {
  const known = await pushManager.getSubscription();
  if (known && publicKeyOf(known) === publicKey) return known;
  // Of another server, or of this one with other keys.
  await known?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

function toSent(subscription: PushSubscription): Subscription {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' };
}

export type Allowed = { device: Device } | { failure: string };

const NOT_ANSWERED = 'You did not answer the browser, so nothing was changed.';
const NO_PUSH =
  'This browser could not reach its push service. Some browsers have it switched off: look for it in their settings, then try again.';

/**
 * Asks for the permission, and registers this browser. To be called from a press, or browsers do not ask.
 * @param publicKey the server's
 */
export async function allowHere(publicKey: string): Promise<Allowed> {
  const answer = await Notification.requestPermission();
  if (answer === 'default') return { failure: NOT_ANSWERED };
  if (answer === 'denied') return { failure: '' };
  let subscription: PushSubscription;
  try {
    subscription = await subscribed(await startWorker(), publicKey);
  } catch (problem) {
    console.warn('No push subscription:', problem);
    return { failure: NO_PUSH };
  }
  try {
    const { device } = await request('POST /api/devices', {
      body: toSent(subscription),
      read: readerOf(deviceAnswer),
    });
    if (!device) return { failure: 'This browser could not be registered. Try again.' };
    rememberDevice(device.id);
    return { device };
  } catch (problem) {
    return { failure: messageOf(problem, 'This browser could not be registered. Try again.') };
  }
}

/** Tells the server what this browser's subscription is by now. @throws ApiError 404 where the device was removed */
export async function renewHere(id: number, publicKey: string): Promise<void> {
  const subscription = await subscribed(await startWorker(), publicKey);
  await request('PUT /api/devices/:id/subscription', { params: { id }, body: toSent(subscription) });
}

/** This browser is no device any more: nothing arrives, and what is shown of the account's alerts goes. */
export async function forgetHere(): Promise<void> {
  rememberDevice(null);
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration) return;
  const [subscription, shown] = await Promise.all([
    registration.pushManager?.getSubscription(),
    registration.getNotifications(),
  ]);
  for (const notification of shown) notification.close();
  await subscription?.unsubscribe();
}
