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

/** The push services that browsers use; each has a queue of its own, so that one which is down holds up no other. */
export const PUSH_SERVICES = ['google', 'mozilla', 'apple', 'microsoft', 'other'] as const;
export type PushService = (typeof PUSH_SERVICES)[number];

/** As a sentence begins with them. */
export const PUSH_SERVICE_NAMES: Readonly<Record<PushService, string>> = {
  google: 'Google’s push service',
  mozilla: 'Mozilla’s push service',
  apple: 'Apple’s push service',
  microsoft: 'Microsoft’s push service',
  other: 'A further push service',
};

/** A device as the outbox names it: 'google:17'. */
export const deviceAddress = (service: PushService, id: number): string => `${service}:${id}`;

/** The device that an address names, and whose queue it stands in; null for what is no address of one. */
export function readDeviceAddress(address: string): { service: PushService; id: number } | null {
  const [, named, digits] = /^([a-z]{1,20}):(\d{1,15})$/.exec(address) ?? [];
  const service = PUSH_SERVICES.find((one) => one === named);
  return service === undefined ? null : { service, id: Number(digits) };
}
