import { boolean, choice, count, isoTime, list, or, orNull, text, trimmed } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';

export const DEVICE_STATUSES = ['registered', 'refused', 'gone'] as const;
export const TEST_STATUSES = ['waiting', 'sending', 'sent', 'failed'] as const;

/** Result of the last *Test* since the server's start. */
const test = object({ status: choice(TEST_STATUSES), reason: orNull(trimmed) }, ['status']);

export const device = object(
  {
    id: count,
    name: or(trimmed, 'Browser'),
    created_at: isoTime,
    delivered_at: orNull(isoTime),
    /** `refused`: nothing is sent until the device registers again. `gone`: the push service ended the subscription. */
    status: or(choice(DEVICE_STATUSES), 'registered'),
    /** Why the last message was not delivered, as a sentence; null if it was. */
    failure: orNull(trimmed),
    test: orNull(test),
  },
  ['id'],
);

/** Answer of `GET /api/devices`, oldest first. */
export const devicesAnswer = object({
  /** The server's key for a browser's subscription, base64url. */
  publicKey: text,
  devices: list(device),
  /** Whether administrators' broadcasts go to these devices too. */
  adminMessages: or(boolean, true),
});

export const deviceAnswer = object({ device });

export const actedAnswer = object({ text: trimmed });
