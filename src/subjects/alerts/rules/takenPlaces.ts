import { isRecord } from '#lib/json.ts';
import { MAX_DEVICES } from '#subjects/devices/rules/device.ts';
import { type Destinations, NOWHERE } from './alert.ts';
import type { Places } from './recipient.ts';

/** Where an alert goes, as a transfer file says it: devices by their names, as ids mean nothing elsewhere. */
export type DestinationsInFile = { telegram: boolean; discord: boolean; devices: 'all' | string[] };

export const NOWHERE_ELSE =
  'Shown in open windows only: none of the chats and devices that they went to is linked here.';
export const FEWER_PLACES = 'A chat or device that they went to is not linked here, and was left out.';

/** @param places of their owner on this server */
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
 * Where an alert of a transfer file goes here: only to what its owner has linked here.
 * @returns the destinations, and a sentence where they are fewer than the file has
 */
export function takenDestinations(
  sent: unknown,
  places: Places,
): { destinations: Destinations; note: string | null } {
  if (!isRecord(sent)) return { destinations: NOWHERE, note: null };
  const hasChat = (platform: string): boolean =>
    places.chats.some((chat) => chat.platform === platform && chat.isConfirmed);
  const { telegram, discord, devices } = sent;
  const names: unknown[] = Array.isArray(devices) ? devices.slice(0, MAX_DEVICES) : [];
  const found = places.devices.filter(({ name }) => names.includes(name)).map(({ id }) => id);
  const taken: Destinations = {
    telegram: telegram === true && hasChat('telegram'),
    discord: discord === true && hasChat('discord'),
    devices: devices === 'all' && places.devices.length > 0 ? 'all' : found,
  };
  const isAny = taken.telegram || taken.discord || taken.devices.length > 0;
  const isLess =
    (telegram === true && !taken.telegram) ||
    (discord === true && !taken.discord) ||
    (devices === 'all' ? taken.devices !== 'all' : found.length < names.length);
  const note = isAny ? FEWER_PLACES : NOWHERE_ELSE;
  return { destinations: taken, note: isLess ? note : null };
}
