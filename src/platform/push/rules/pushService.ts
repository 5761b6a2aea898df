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
