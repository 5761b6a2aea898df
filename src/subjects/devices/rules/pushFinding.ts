import { bad, type Finding, good } from '#lib/finding.ts';

/** How deliveries to all devices went. */
export type PushTally = {
  /** Devices that messages are sent to. */
  registered: number;
  /** Devices that their push service has refused since the last delivery to any device. */
  refused: number;
  /** Devices that ever took a message. */
  delivered: number;
};

const WHAT = 'Web push';

/**
 * How web push stands. One refused device among others is its own fault; two since the last delivery, or all of them, are
 * the server's.
 * @returns null before the first message; undefined without devices
 */
export function pushFinding({ registered, refused, delivered }: PushTally): Finding | null | undefined {
  if (registered + refused === 0) return undefined;
  if (refused > 1 || (refused === 1 && registered === 0)) {
    return bad(
      WHAT,
      'Push services refuse the messages of this server for every device that was tried.',
      'Look at the clock of this server and at BELLBIRD_PUBLIC_URL. If an old backup was restored, allow notifications again on each device.',
    );
  }
  return delivered === 0 ? null : good(WHAT, 'The last messages to devices were taken.');
}
