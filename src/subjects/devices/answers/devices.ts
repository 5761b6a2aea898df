import { boolean, choice, count, isoTime, list, or, orNull, text, trimmed } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';

export const DEVICE_STATUSES = ['registered', 'refused', 'gone'] as const;
export const TEST_STATUSES = ['waiting', 'sending', 'sent', 'failed'] as const;

/** What became of the last *Test* since the server's start. */
const test = object({ status: choice(TEST_STATUSES), reason: orNull(trimmed) }, ['status']);

/** A browser that shows its owner's messages as notifications. */
export const device = object(
  {
    id: count,
    name: or(trimmed, 'Browser'),
    created_at: isoTime,
    /** When its push service last took a message. */
    delivered_at: orNull(isoTime),
    /** `refused`: nothing is sent until it registers again. `gone`: its push service ended it. */
    status: or(choice(DEVICE_STATUSES), 'registered'),
    /** A sentence saying why the last message was not delivered; null after one that was. */
    failure: orNull(trimmed),
    test: orNull(test),
  },
  ['id'],
);

/** `GET /api/devices`, oldest first. */
export const devicesAnswer = object({
  /** What a browser subscribes with, base64url. */
  publicKey: text,
  devices: list(device),
  /** Whether what administrators write to everybody goes to these devices too. */
  adminMessages: or(boolean, true),
});

/** What a change of a device is answered with. */
export const deviceAnswer = object({ device });

/** What a pressed button did, in a sentence for the notification. */
export const actedAnswer = object({ text: trimmed });
