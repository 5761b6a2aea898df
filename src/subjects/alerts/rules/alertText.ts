import { CHAT_PLATFORMS, PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { deviceChoiceText, hasDevices } from '#subjects/devices/rules/device.ts';
import type { Destinations } from './alert.ts';
import { type EventGuard, guardChoiceText } from './eventGuard.ts';
import { namedAll } from './manyAlerts.ts';
import type { Manner } from './manner.ts';
import { SOUND_NAMES } from './alertSound.ts';
import { expiryText } from './expiry.ts';

/** What a person chose of an alert, as far as two versions of it can differ. */
export type DescribedAlert = {
  name: string | null;
  persistent: boolean;
  /** Null when it can't be read. */
  logic: Logic | null;
  destinations: Destinations;
  note: string | null;
  /** ISO 8601; null for never. */
  expiresAt: string | null;
  guard: EventGuard | null;
  cooldownMinutes: number;
} & Manner;

function conditionsText(logic: Logic | null, catalog: Pick<Catalog, 'indicators'> | null): string {
  if (logic === null) return 'Conditions that can’t be shown here';
  return logic.conditions.length === 0 ? 'No conditions yet' : logicText(logic, catalog);
}

function destinationsText(destinations: Destinations): string {
  const names: string[] = CHAT_PLATFORMS.filter((platform) => destinations[platform]).map(
    (platform) => PLATFORM_NAMES[platform],
  );
  if (hasDevices(destinations.devices)) names.push(deviceChoiceText(destinations.devices));
  return names.length === 0 ? 'Shown in the browser only' : `Sent to ${namedAll(names)}`;
}

/**
 * An alert in words, a line for each thing that a person chooses.
 * @param catalog names of indicators; without it their keys are shown
 */
export const alertLines = (
  { name, persistent, logic, destinations, note, expiresAt, guard, ...more }: DescribedAlert,
  catalog: Pick<Catalog, 'indicators'> | null,
): string[] => [
  name === null ? 'No name' : `Name: ${name}`,
  conditionsText(logic, catalog),
  persistent ? 'Repeats each time' : 'Fires once',
  destinationsText(destinations),
  ...(note === null ? [] : [`Note: ${note}`]),
  ...(guard === null ? [] : [guardChoiceText(guard)]),
  ...(persistent && more.cooldownMinutes > 1 ? [`Quiet for ${more.cooldownMinutes} min after it fired`] : []),
  ...(more.urgent ? ['Urgent'] : []),
  ...(more.group === null ? [] : [`Group: ${more.group}`]),
  ...(more.sound === null ? [] : [`Sound: ${SOUND_NAMES[more.sound]}`]),
  ...(expiresAt === null ? [] : [`Expires ${expiryText(Date.parse(expiresAt))}`]),
];
