import {
  allowHere,
  browserAbility,
  devicesInUse,
  loadDevices,
  OBSTACLES,
  type OwnDevices,
} from '#subjects/devices/web/shared/devices.ts';

const isTouch = (): boolean => window.matchMedia('(pointer: coarse)').matches;

export const phoneOfferLabel = (): string => `Get alerts on this ${isTouch() ? 'phone' : 'computer'}`;

/** Whether this browser can still be made a device, perhaps after a step that `allowAlertsHere` names. */
export const offersPhone = (own: OwnDevices | null): own is OwnDevices =>
  own !== null &&
  own.publicKey !== null &&
  devicesInUse(own).length === 0 &&
  !['unsupported', 'denied'].includes(browserAbility());

/**
 * Makes this browser a device. Call it from a click, because browsers do not ask otherwise.
 * @returns the result, or what prevents it, as sentences
 */
export async function allowAlertsHere({ publicKey }: OwnDevices): Promise<{ isOn: boolean; text: string }> {
  const ability = browserAbility();
  if (ability !== 'able') return { isOn: false, text: OBSTACLES[ability] };
  if (publicKey === null) return { isOn: false, text: 'Notifications are off on this server.' };
  const outcome = await allowHere(publicKey);
  if ('failure' in outcome) return { isOn: false, text: outcome.failure || OBSTACLES.denied };
  await loadDevices();
  return { isOn: true, text: `Notifications are on. This browser is “${outcome.device.name}”.` };
}
