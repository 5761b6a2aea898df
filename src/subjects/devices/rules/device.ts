import { DAY_MS } from '#lib/units.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { isPlainLine } from '#lib/text.ts';
import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { NotificationAction } from '#platform/push/rules/notification.ts';

/** All devices that the user has when an alert fires, or the devices with these ids. */
export type DeviceChoice = 'all' | number[];

export const NO_DEVICES: DeviceChoice = [];

/** Limit per user; an expired device counts until it is removed. */
export const MAX_DEVICES = 10;
export const MAX_DEVICE_NAME = 40;

export const hasDevices = (choice: DeviceChoice): boolean => choice === 'all' || choice.length > 0;

export function deviceChoiceText(choice: DeviceChoice): string {
  if (choice === 'all') return 'all devices';
  return choice.length === 1 ? '1 device' : `${choice.length} devices`;
}

export const isChosenDevice = (choice: DeviceChoice, id: number): boolean =>
  choice === 'all' || choice.includes(id);

export function checkDeviceName(sent: string): Result<string> {
  const name = sent.trim();
  if (name === '') return refuse('Enter a name for the device.', 'name');
  if (name.length > MAX_DEVICE_NAME) {
    return refuse(`The name may have at most ${MAX_DEVICE_NAME} characters.`, 'name');
  }
  return isPlainLine(name)
    ? ok(name)
    : refuse('The name must be one line of plain text without invisible characters.', 'name');
}

/** A name that is not taken: 'Chrome on Android', then 'Chrome on Android 2'. */
export function freeDeviceName(guess: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? guess : `${guess} ${number}`;
    if (!taken.includes(name)) return name;
  }
}

export const testMessage = (name: string): ChatMessage => ({
  title: 'Bellbird test',
  lines: [`Notifications arrive on “${name}”.`],
  link: null,
  page: '#/settings/notifications',
  buttons: [],
});

const SNOOZE_MS = 15 * 60_000;
/** Hour at which a session begins, with its pre-open. */
const SESSION_HOUR = 7;

/** 07:00 in Sydney on the next day, at most 24 hours ahead. @param now epoch ms */
function nextSession(now: number): number {
  const today = fromSydney(sydneyDate(now), SESSION_HOUR, 0);
  if (now < today) return today;
  // The day of the change to standard time has 25 hours.
  return Math.min(fromSydney(sydneyDate(now + DAY_MS), SESSION_HOUR, 0), now + DAY_MS);
}

/** End of the silence that a button sets, epoch ms. */
export const quietUntil = (action: NotificationAction, now: number): number =>
  action === 'snooze' ? now + SNOOZE_MS : nextSession(now);
