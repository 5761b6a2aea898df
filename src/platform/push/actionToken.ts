import { keyedHash } from '#lib/secrets.ts';
import { timingSafeEqual } from 'node:crypto';

/** What the buttons of a notification act on: an alert on a stock, or one on a whole scan. */
export type ActionTarget = { kind: 'alert' | 'scan'; alertId: number };
/** What a token names: the device that got the notification, and the alert. */
export type DeviceAction = ActionTarget & { deviceId: number };

export const ACTION_TOKEN_MS = 24 * 3_600_000;

export type ActionTokens = {
  sign(action: DeviceAction, now: number): string;
  /** What a token is for; null for one that this server did not make, or that is too old. */
  read(token: string, now: number): DeviceAction | null;
};

const FORM = /^(\d{1,15})\.(alert|scan)\.(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/;

/**
 * Signs what the buttons of a notification may do: a service worker has nothing of its owner's login session. A token is
 * good for one alert, from one device, for a day.
 * @param secret of the server
 */
export function createActionTokens(secret: string): ActionTokens {
  const signatureOf = (text: string): string => keyedHash(secret, `device action\n${text}`, 'base64url');
  return {
    sign({ deviceId, kind, alertId }, now) {
      const text = `${deviceId}.${kind}.${alertId}.${now + ACTION_TOKEN_MS}`;
      return `${text}.${signatureOf(text)}`;
    },
    read(token, now) {
      const [, device, kind, alert, until, signature = ''] = FORM.exec(token) ?? [];
      if (device === undefined || (kind !== 'alert' && kind !== 'scan')) return null;
      const expected = signatureOf(`${device}.${kind}.${alert}.${until}`);
      if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) return null;
      if (Number(until) <= now) return null;
      return { deviceId: Number(device), kind, alertId: Number(alert) };
    },
  };
}
