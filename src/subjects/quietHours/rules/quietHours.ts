import { HOUR_MS } from '#lib/units.ts';
import { ok, refuse, type Result } from '#lib/result.ts';

/** When delayed messages are sent, as in the database's column. */
export const DIGESTS = ['end', 'hourly', 'always'] as const;
export type DigestChoice = (typeof DIGESTS)[number];

export type QuietHours = {
  active: boolean;
  /** Minutes since midnight in the zone. If `until` is less than `from`, the hours span midnight. */
  from: number;
  until: number;
  zone: string;
  digest: DigestChoice;
};

export const DAY_MINUTES = 1440;
const MAX_ZONE = 64;

export const NO_QUIET_HOURS: QuietHours = {
  active: false,
  from: 21 * 60,
  until: 7 * 60,
  zone: 'Australia/Sydney',
  digest: 'end',
};

const clocks = new Map<string, Intl.DateTimeFormat>();
/** Returns a zone's clock, cached because there are only a few hundred zones. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  clocks.set(zone, clock);
  return clock;
}

export function minuteIn(zone: string, now: number): number {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(now)
      .map(({ type, value }) => [type, Number(value)]),
  );
  return (parts.get('hour') ?? 0) * 60 + (parts.get('minute') ?? 0);
}

/** Whether it is within the quiet hours, by the zone's clock. @param now epoch ms */
export function isQuiet({ from, until, zone }: QuietHours, now: number): boolean {
  const minute = minuteIn(zone, now);
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

/** Whether messages are delayed at that time. @param now epoch ms */
export const holdsAt = (hours: QuietHours, now: number): boolean =>
  hours.active && (hours.digest === 'always' || isQuiet(hours, now));

/**
 * @param oldest when the first delayed message was written
 * @param now epoch ms; before `oldest` if the clock was set back
 */
export function isDigestDue(hours: QuietHours, oldest: number, now: number): boolean {
  if (!hours.active) return true;
  const quiet = isQuiet(hours, now);
  if (hours.digest === 'end') return !quiet;
  if (quiet && hours.digest === 'always') return false;
  if (!quiet && (hours.digest === 'hourly' || isQuiet(hours, oldest))) return true;
  const hourOf = (time: number): number => Math.floor(minuteIn(hours.zone, time) / 60);
  return Math.abs(now - oldest) >= HOUR_MS || hourOf(now) !== hourOf(oldest);
}

function isZone(zone: string): boolean {
  try {
    return clockOf(zone) !== undefined;
  } catch {
    return false;
  }
}

const isMinute = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < DAY_MINUTES;

export function checkQuietHours(sent: Record<keyof QuietHours, unknown>): Result<QuietHours> {
  const { active, from, until, zone } = sent;
  const digest = DIGESTS.find((one) => one === sent.digest);
  if (typeof active !== 'boolean') return refuse('`active` must be true or false.', 'active');
  if (!isMinute(from)) return refuse('`from` must be a minute of the day, from 0 to 1439.', 'from');
  if (!isMinute(until)) return refuse('`until` must be a minute of the day, from 0 to 1439.', 'until');
  if (from === until) return refuse('Quiet hours must end at a different time than they begin.', 'until');
  if (typeof zone !== 'string' || zone.length > MAX_ZONE || !isZone(zone)) {
    return refuse('Choose a time zone such as Australia/Perth.', 'zone');
  }
  return digest
    ? ok({ active, from, until, zone, digest })
    : refuse(`The digest must be one of ${DIGESTS.join(', ')}.`, 'digest');
}
