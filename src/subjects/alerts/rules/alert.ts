import type { Destinations, Places } from './recipient.ts';
import { isRecord } from '#lib/json.ts';
import { readTime } from '#lib/read.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { MAX_DEVICES, NO_DEVICES } from '#subjects/devices/rules/device.ts';
import type { STOCK_OPTIONS, Values } from '../answers/options.ts';

export const NOWHERE: Destinations = { telegram: false, discord: false, devices: NO_DEVICES };

export const destinationsOf = ({ telegram, discord, devices }: Destinations): Destinations => ({
  telegram,
  discord,
  devices,
});

export const joinedDestinations = (all: readonly Destinations[]): Destinations =>
  all.reduce(
    (joined, { telegram, discord, devices }) => ({
      telegram: joined.telegram || telegram,
      discord: joined.discord || discord,
      devices:
        joined.devices === 'all' || devices === 'all' ? 'all' : [...new Set([...joined.devices, ...devices])],
    }),
    NOWHERE,
  );

export type AlertInput = Values<typeof STOCK_OPTIONS> & {
  symbol: string;
  active: boolean;
  logic: Logic;
  destinations: Destinations;
};

/** Times are epoch ms by the wall clock. */
export type Alert = AlertInput & {
  id: number;
  userId: number;
  version: number;
  lastTriggeredAt: number | null;
  snoozedUntil: number | null;
  stoppedReason: string | null;
  /** Before this time (epoch ms), conditions that held when the alert was saved or switched on do not fire. */
  armedAt: number | null;
};

export const cooldownMs = (minutes: number): number => minutes * 60_000;

/**
 * When the cooldown of an earlier run ends, ms of the monotonic clock. If the trigger's time is in the future, the
 * clock was set back, and the cooldown starts again.
 * @param notifiedAt time of the trigger, epoch ms by the wall clock
 * @param coolMs length of the cooldown
 */
export const cooledAt = (
  notifiedAt: number,
  coolMs: number,
  { wall, monotonic }: { wall: number; monotonic: number },
): number => monotonic + coolMs - Math.max(0, wall - notifiedAt);

/** Undo window, ms: an alert whose conditions already hold when it is saved or switched on fires only after this. */
export const UNDO_WINDOW_MS = 5000;

/**
 * The remaining undo window, ms.
 * @param armedAt epoch ms; null if none is open
 * @param now epoch ms by the same clock, which may have been set back since
 */
export const undoTimeLeft = (armedAt: number | null, now: number): number =>
  armedAt === null ? 0 : Math.max(0, Math.min(UNDO_WINDOW_MS, armedAt - now));

export const SNOOZE_MS = 3_600_000;
/** Longest snooze. Messages show its end without a date. */
const MAX_SNOOZE_MS = 24 * 3_600_000;

/**
 * @param sent ISO 8601; null ends the snooze
 * @param now the wall clock, epoch ms
 * @returns epoch ms; null for no snooze
 */
export function checkSnooze(sent: unknown, now: number): Result<number | null> {
  if (sent === null) return ok(null);
  const until = typeof sent === 'string' && sent.length <= 40 ? readTime(sent) : null;
  if (until === null)
    return refuse('The end of a snooze must be a time like 2026-11-27T05:10:00Z.', 'snoozed_until');
  return until > now && until <= now + MAX_SNOOZE_MS
    ? ok(until)
    : refuse('A snooze lasts at most 24 hours.', 'snoozed_until');
}

/** Destinations in an exported file. Devices are listed by name, because ids differ between servers. */
type DestinationsInFile = { telegram: boolean; discord: boolean; devices: 'all' | string[] };

const NOWHERE_ELSE = 'Shown in open windows only: none of their chats and devices is linked here.';
const FEWER_PLACES = 'A chat or device they used is not linked here and was omitted.';

export const destinationsInFile = (
  { telegram, discord, devices }: Destinations,
  places: Places,
): DestinationsInFile => ({
  telegram,
  discord,
  devices:
    devices === 'all'
      ? devices
      : places.devices.flatMap(({ id, name }) => (devices.includes(id) ? name : [])),
});

/**
 * Destinations of an imported alert, limited to those that the owner has linked here.
 * @returns a sentence if some of the file's destinations are missing
 */
export function importedDestinations(
  sent: unknown,
  places: Places,
): { destinations: Destinations; note: string | null } {
  if (!isRecord(sent)) return { destinations: NOWHERE, note: null };
  const hasChat = (platform: string): boolean =>
    places.chats.some((chat) => chat.platform === platform && chat.isConfirmed);
  const { telegram, discord, devices } = sent;
  const names: unknown[] = Array.isArray(devices) ? devices.slice(0, MAX_DEVICES) : [];
  const found = places.devices.filter(({ name }) => names.includes(name)).map(({ id }) => id);
  const imported: Destinations = {
    telegram: telegram === true && hasChat('telegram'),
    discord: discord === true && hasChat('discord'),
    devices: devices === 'all' && places.devices.length > 0 ? 'all' : found,
  };
  const isAny = imported.telegram || imported.discord || imported.devices.length > 0;
  const isLess =
    (telegram === true && !imported.telegram) ||
    (discord === true && !imported.discord) ||
    (devices === 'all' ? imported.devices !== 'all' : found.length < names.length);
  const note = isAny ? FEWER_PLACES : NOWHERE_ELSE;
  return { destinations: imported, note: isLess ? note : null };
}
