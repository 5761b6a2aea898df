import { isRecord } from '#lib/json.ts';
import { ok, refuse, type Result, within } from '#lib/result.ts';
import { CHAT_PLATFORMS } from '#platform/chatClients/rules/chatPlatform.ts';
import { checkLogic } from '#subjects/conditions/rules/checkLogic.ts';
import { ALERT_LOGIC, type Logic } from '#subjects/conditions/rules/condition.ts';
import { noScans, type ScanCheck } from '#subjects/conditions/rules/savedScan.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { type DeviceChoice, MAX_DEVICES } from '#subjects/devices/rules/device.ts';
import type { Destinations } from './recipient.ts';

export const MAX_ALERTS = 50;

/**
 * Checks conditions (specification, section 5): 1 to 20 including those of groups, and at most four saved scans.
 * @param checkScan checks the saved scans that conditions read; none are allowed if omitted
 * @returns a refusal names the place: 'logic_json.conditions[1].rhs.tf'
 */
export function checkAlertLogic(
  catalog: Pick<Catalog, 'indicators'>,
  sent: unknown,
  checkScan: ScanCheck = noScans,
): Result<Logic> {
  const checked = within('logic_json', checkLogic(catalog, sent, ALERT_LOGIC, checkScan));
  if (!checked.ok || checked.value.conditions.length > 0) return checked;
  return refuse('An alert needs at least one condition.', 'logic_json.conditions');
}

function checkDeviceChoice(sent: unknown): Result<DeviceChoice> {
  if (sent === 'all') return ok(sent);
  const isList = Array.isArray(sent) && sent.length <= MAX_DEVICES && sent.every(Number.isSafeInteger);
  return isList
    ? ok([...new Set<number>(sent)])
    : refuse('The devices of an alert must be "all" or a list of ids.', 'destinations.devices');
}

/**
 * Checks destinations. An omitted platform keeps its value, so that a page that does not offer it switches nothing off.
 * Removed devices are accepted, because they may come back.
 * @param before the current destinations
 */
export function checkDestinations(sent: unknown, before: Destinations): Result<Destinations> {
  if (sent === undefined || sent === null) return ok(before);
  if (!isRecord(sent))
    return refuse(
      'The destinations must be telegram and discord (true or false), and devices.',
      'destinations',
    );
  const devices = checkDeviceChoice(sent['devices'] ?? before.devices);
  if (!devices.ok) return devices;
  const chosen: Destinations = { ...before, devices: devices.value };
  for (const platform of CHAT_PLATFORMS) {
    const value = sent[platform] ?? before[platform];
    if (typeof value !== 'boolean') {
      return refuse('A destination must be true or false.', `destinations.${platform}`);
    }
    chosen[platform] = value;
  }
  return ok(chosen);
}
