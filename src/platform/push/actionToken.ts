import { keyedHash } from '#lib/secrets.ts';
import { timingSafeEqual } from 'node:crypto';

export type ActionTarget = { kind: 'alert' | 'scan'; alertId: number };
export type DeviceAction = ActionTarget & { deviceId: number };

export const ACTION_TOKEN_MS = 24 * 3_600_000;

export type ActionTokens = {
  sign(action: DeviceAction, now: number): string;
  /** The action of a token; null if it is forged or expired. */
  read(token: string, now: number): DeviceAction | null;
};

const FORM = /^(\d{1,15})\.(alert|scan)\.(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/;

/**
 * Signs the actions of a notification's buttons, because a service worker has no login session. A token is valid
 * for one alert, from one device, for a day.
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
