import { ok, refuse, type Result } from '#lib/result.ts';
import { ALERT_SOUNDS, type AlertSound } from './alertSound.ts';
import { checkLine } from './alertLine.ts';

/** How an alert makes itself known and where it is filed, whatever it waits for. */
export type Manner = {
  /** Neither quiet hours nor a digest hold its messages. */
  urgent: boolean;
  /** What its owner files it under; null for nothing. */
  group: string | null;
  /** What windows play as it fires; null for what each browser plays. */
  sound: AlertSound | null;
};

/** What an alert begins with. */
export const PLAIN_MANNER: Manner = { urgent: false, group: null, sound: null };

/** Code points. */
export const MAX_GROUP_NAME = 30;
/** Groups of one user, over all alerts. */
export const MAX_GROUPS = 50;

/** How an alert behaves, of something that stands beside other things of it, as in a row of the database. */
export const mannerOf = ({ urgent, group, sound }: Manner): Manner => ({ urgent, group, sound });

function checkSound(sent: unknown): Result<AlertSound | null> {
  if (sent === null) return ok(null);
  const sound = ALERT_SOUNDS.find((one) => one === sent);
  return sound ? ok(sound) : refuse(`The sound of an alert is one of ${ALERT_SOUNDS.join(', ')}.`, 'sound');
}

/**
 * Checks how an alert is to behave. What is absent stays as it was.
 * @returns it in its one form; a refusal names the member
 */
export function checkManner(
  sent: { urgent?: unknown; group?: unknown; sound?: unknown },
  before: Manner,
): Result<Manner> {
  const urgent = sent.urgent ?? before.urgent;
  if (typeof urgent !== 'boolean') return refuse('Urgent is switched with true or false.', 'urgent');
  const group = sent.group === undefined ? ok(before.group) : checkLine(sent.group, 'group', MAX_GROUP_NAME);
  if (!group.ok) return group;
  const sound = sent.sound === undefined ? ok(before.sound) : checkSound(sent.sound);
  if (!sound.ok) return sound;
  return ok({ urgent, group: group.value, sound: sound.value });
}
