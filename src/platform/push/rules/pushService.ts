/** The push services of browsers. Each has its own queue, so that a broken one does not block the others. */
export const PUSH_SERVICES = ['google', 'mozilla', 'apple', 'microsoft', 'other'] as const;
export type PushService = (typeof PUSH_SERVICES)[number];

/** Names that can begin a sentence. */
export const PUSH_SERVICE_NAMES: Readonly<Record<PushService, string>> = {
  google: 'Google’s push service',
  mozilla: 'Mozilla’s push service',
  apple: 'Apple’s push service',
  microsoft: 'Microsoft’s push service',
  other: 'Another push service',
};

/** The outbox's name of a device: 'google:17'. */
export const deviceAddress = (service: PushService, id: number): string => `${service}:${id}`;

/** Parses a device's name; null if it is malformed. */
export function readDeviceAddress(address: string): { service: PushService; id: number } | null {
  const [, named, digits] = /^([a-z]{1,20}):(\d{1,15})$/.exec(address) ?? [];
  const service = PUSH_SERVICES.find((one) => one === named);
  return service === undefined ? null : { service, id: Number(digits) };
}
