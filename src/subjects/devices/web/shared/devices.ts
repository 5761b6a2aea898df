import { computed, type ReadonlySignal } from '@preact/signals-react';
import type { Known } from '#lib/contract/fields.ts';
import { readerOf, request, messageOf, ApiError } from '#web/api/client.ts';
import { Loader } from '#web/shared/loader.ts';
import { type device, devicesAnswer, deviceAnswer } from '../../answers/devices.ts';
import type { DeviceChoice } from '../../rules/device.ts';
import { isRecord } from '#lib/json.ts';
import { readCount } from '#lib/read.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';
import type { Subscription } from '../../rules/pushEndpoint.ts';
import { isPopup } from '#web/windows/popup.ts';
import { navigate } from '#web/router/navigate.ts';
import { hasExpired } from '#subjects/accounts/web/shared/session/session.ts';

/** A browser that shows the user's messages as notifications. */
export type Device = Known<typeof device>;
export type OwnDevices = Known<typeof devicesAnswer>;

export const fetchDevices = (): Promise<OwnDevices> =>
  request('GET /api/devices', { read: readerOf(devicesAnswer) });

/** The devices; null if they could not be loaded, for callers that can do without. */
export async function devicesOrNone(): Promise<OwnDevices | null> {
  try {
    return await fetchDevices();
  } catch (problem) {
    console.warn('The devices could not be loaded.', problem);
    return null;
  }
}

const loader = new Loader(fetchDevices, 'Your devices could not be loaded.');

export const ownDevices: ReadonlySignal<OwnDevices | null> = loader.data;
export const devicesError: ReadonlySignal<string | null> = computed(() => {
  const { data, error } = loader.state.value;
  return data === null ? error : null;
});
export const loadDevices = loader.load;
export const forgetDevices = loader.reset;
export const setDevices = loader.set;

/** Devices that get messages, now or later. */
export const devicesInUse = (own: OwnDevices | null): Device[] =>
  own?.devices.filter(({ status }) => status !== 'gone') ?? [];

/** The devices of a new alert: all, if there are any. */
export const newDeviceChoice = (own: OwnDevices | null): DeviceChoice =>
  devicesInUse(own).length > 0 ? 'all' : [];

const KEY = 'bellbird.device';

/** Whether this browser can be a device, as far as that is known without a prompt. */
export type BrowserAbility =
  | 'able'
  /** The address does not use https. */
  | 'insecure'
  /** On an iPhone or iPad, the page must be on the home screen first. */
  | 'homeScreen'
  | 'unsupported'
  /** The user refused, which only the browser's settings can undo. */
  | 'denied';

/** Texts on why this browser cannot be a device, and how to fix that. */
export const OBSTACLES: Readonly<Record<Exclude<BrowserAbility, 'able'>, string>> = {
  insecure:
    'Notifications need a secure address. Open Bellbird over https://. If there is no https address yet, ask the administrator to set one up.',
  homeScreen:
    'On an iPhone or iPad, first press Share, then Add to Home Screen. Open Bellbird from the home screen and come back to this page.',
  unsupported:
    'This browser can’t show notifications for closed pages. Use Chrome, Edge, Firefox or Safari 16.4 or later.',
  denied:
    'This browser blocks notifications from Bellbird. Allow them in its settings for this site (the icon left of the address), then reload the page.',
};

/** The id of this browser; null if it is not a device, or not one that is known here. */
export const thisDeviceId = (): number | null =>
  readStored(KEY, (value) => (isRecord(value) ? readCount(value['id']) : null));

const rememberDevice = (id: number | null): void => writeStored(KEY, id === null ? null : { id });

/** Whether this is an iPhone or iPad. An iPad identifies itself as a Mac, but no Mac has a touch screen. */
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

/** Starts the worker, which shows notifications even while no page is open. @throws errors of the browser */
async function startWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register('/sw.js');
  return navigator.serviceWorker.ready;
}

const publicKeyOf = (subscription: PushSubscription): string => {
  const key = subscription.options.applicationServerKey;
  if (key === null) return '';
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};

/** The subscription for the server's key, created if needed. @throws errors of the browser */
async function subscribed({ pushManager }: ServiceWorkerRegistration, publicKey: string) {
  const known = await pushManager.getSubscription();
  if (known && publicKeyOf(known) === publicKey) return known;
  // The known subscription belongs to another server, or to an old key.
  await known?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

function toSent(subscription: PushSubscription): Subscription {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' };
}

/**
 * Asks for permission and registers this browser. Call it from a click, because browsers do not ask otherwise.
 * @param publicKey the server's key
 */
export async function allowHere(publicKey: string): Promise<{ device: Device } | { failure: string }> {
  const answer = await Notification.requestPermission();
  if (answer === 'default')
    return { failure: 'You did not answer the browser’s question, so nothing was changed.' };
  if (answer === 'denied') return { failure: '' };
  let subscription: PushSubscription;
  try {
    subscription = await subscribed(await startWorker(), publicKey);
  } catch (problem) {
    console.warn('No push subscription:', problem);
    return {
      failure:
        'This browser could not reach its push service. Check in the browser’s settings that it is on, then try again.',
    };
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

/** @throws ApiError 404 if the device was removed */
async function renewHere(id: number, publicKey: string): Promise<void> {
  const subscription = await subscribed(await startWorker(), publicKey);
  await request('PUT /api/devices/:id/subscription', { params: { id }, body: toSent(subscription) });
}

/** Unsubscribes this browser, and removes the account's notifications. */
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

const warn = (what: string) => (problem: unknown) => console.warn(what, problem);

/** Renews the subscription of a remembered device. A device that was removed is forgotten. */
async function renew(id: number): Promise<void> {
  const { publicKey } = await fetchDevices();
  if (publicKey === null) return;
  try {
    await renewHere(id, publicKey);
  } catch (problem) {
    if (!(problem instanceof ApiError) || problem.status !== 404) throw problem;
    await forgetHere();
  }
}

/** Handles a pressed notification. A main window opens the notification's page; a popup leaves that to others. */
function onPress({ data, ports }: MessageEvent<unknown>): void {
  if (isPopup || !isRecord(data) || data['type'] !== 'bellbird.open') return;
  const { page } = data;
  ports[0]?.postMessage('taken');
  if (typeof page === 'string' && page.startsWith('#/')) navigate(page.slice(1));
}

/**
 * Keeps this browser's worker and registration up to date during a session. Returns the stop function, which forgets
 * the device after a logout.
 */
export function followDevice(): () => void {
  if (!window.isSecureContext || !('serviceWorker' in navigator)) return () => {};
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener('message', onPress);
  // Delivers messages that arrived before the listener was added.
  serviceWorker.startMessages();
  const id = thisDeviceId();
  if (id !== null && browserAbility() === 'able') {
    renew(id).catch(warn('This device could not be renewed.'));
  } else startWorker().catch(warn('The notification worker could not be started.'));
  return () => {
    serviceWorker.removeEventListener('message', onPress);
    if (thisDeviceId() !== null && !hasExpired())
      forgetHere().catch(warn('This device could not be removed.'));
  };
}
