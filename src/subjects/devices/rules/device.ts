/** Which of its owner's devices an alert goes to: all that there are when it fires, or those of these ids. */
export type DeviceChoice = 'all' | number[];

export const NO_DEVICES: DeviceChoice = [];

/** Devices of one user; those that are gone count until they are removed. */
export const MAX_DEVICES = 10;
export const MAX_DEVICE_NAME = 40;

/** Whether anything is chosen at all. */
export const hasDevices = (choice: DeviceChoice): boolean => choice === 'all' || choice.length > 0;

/** What was chosen, in words: 'all devices', '2 devices'. */
export function deviceChoiceText(choice: DeviceChoice): string {
  if (choice === 'all') return 'all devices';
  return choice.length === 1 ? '1 device' : `${choice.length} devices`;
}

/** Whether a device is among those chosen. */
export const isChosenDevice = (choice: DeviceChoice, id: number): boolean =>
  choice === 'all' || choice.includes(id);
