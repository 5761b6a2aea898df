import { SNOOZE_MS } from '../../rules/snooze.ts';
import { api, unwrap } from '../../../../../web/api/client.ts';
import { serverNow } from '../../../../../web/live/market.ts';

/** When a snooze that begins now ends, ISO 8601. */
export const snoozeEnd = (): string => new Date(serverNow() + SNOOZE_MS).toISOString();

/** Has an alert say nothing for an hour. @throws ApiError with the server's sentence */
export async function snoozeAlert(id: number): Promise<void> {
  await unwrap(api.alerts({ id }).patch({ snoozed_until: snoozeEnd() }));
}

/** Switches an alert on or off. @throws ApiError with the server's sentence */
export async function switchAlert(id: number, active: boolean): Promise<void> {
  await unwrap(api.alerts({ id }).patch({ active }));
}
