import { bad, type CheckResult, good } from '#lib/checkResult.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { deviceAddress, type PushService } from '#platform/push/rules/pushService.ts';

/** Limit of an endpoint's length, longer than that of any push service. */
export const MAX_ENDPOINT = 1000;
/** In base64url without padding: an uncompressed P-256 point, and sixteen bytes. */
const PUBLIC_KEY = /^B[\w-]{86}$/;
const SECRET = /^[\w-]{22}$/;

/** Hosts of browsers' push services. A leading dot includes all subdomains. */
const HOSTS: Readonly<Record<string, Exclude<PushService, 'other'>>> = {
  'fcm.googleapis.com': 'google',
  // Host of Chrome subscriptions that users reported.
  'jmt17.google.com': 'google',
  '.push.services.mozilla.com': 'mozilla',
  '.push.apple.com': 'apple',
  '.notify.windows.com': 'microsoft',
};

export function pushServiceOf(endpoint: string): PushService {
  const host = URL.parse(endpoint)?.hostname ?? '';
  const found = Object.entries(HOSTS).find(([known]) =>
    known.startsWith('.') ? host.endsWith(known) : host === known,
  );
  return found?.[1] ?? 'other';
}

export type DevicePlace = { platform: 'push'; chatId: string };

export const devicePlace = ({ id, endpoint }: { id: number; endpoint: string }): DevicePlace => ({
  platform: 'push',
  chatId: deviceAddress(pushServiceOf(endpoint), id),
});

const UNKNOWN_SERVICE =
  'This server does not know this browser’s push service. The administrator can add it to BELLBIRD_PUSH_SERVICES.';
const NO_SUBSCRIPTION = 'The browser’s push subscription is invalid. Reload the page and try again.';

export type Subscription = { endpoint: string; p256dh: string; auth: string };

/** Accepts only endpoints of known push services, so that a user cannot direct this server elsewhere. */
export function checkEndpoint(sent: string, others: readonly string[]): Result<string> {
  if (sent.length > MAX_ENDPOINT) return refuse(NO_SUBSCRIPTION, 'endpoint');
  const url = URL.parse(sent);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') {
    return refuse(NO_SUBSCRIPTION, 'endpoint');
  }
  if (others.includes(url.origin)) return ok(url.href);
  const isKnown = url.protocol === 'https:' && url.port === '' && pushServiceOf(url.href) !== 'other';
  return isKnown ? ok(url.href) : refuse(UNKNOWN_SERVICE, 'endpoint');
}

/** @param others as in `checkEndpoint` */
export function checkSubscription(
  { endpoint, p256dh, auth }: Subscription,
  others: readonly string[],
): Result<Subscription> {
  const address = checkEndpoint(endpoint, others);
  if (!address.ok) return address;
  if (!PUBLIC_KEY.test(p256dh) || !SECRET.test(auth)) return refuse(NO_SUBSCRIPTION, 'endpoint');
  return ok({ endpoint: address.value, p256dh, auth });
}

export type PushTally = {
  registered: number;
  /** Number of devices that were refused since the last delivery to any device. */
  refused: number;
  delivered: number;
};

const WHAT = 'Web push';

/**
 * The status of web push. If one device is refused, that device is at fault; if two are since the last delivery, or all
 * of them, the server is.
 * @returns null before the first message; undefined without devices
 */
export function pushFinding({ registered, refused, delivered }: PushTally): CheckResult | null | undefined {
  if (registered + refused === 0) return undefined;
  if (refused > 1 || (refused === 1 && registered === 0)) {
    return bad(
      WHAT,
      'Push services refuse messages from this server for all devices.',
      'Check the clock of this server and BELLBIRD_PUBLIC_URL. If an old backup was restored, allow notifications again on each device.',
    );
  }
  return delivered === 0 ? null : good(WHAT, 'The last messages to devices were accepted.');
}
