import type { Logic } from '../../../conditions/rules/condition.ts';
import type { Ref } from '../../../conditions/rules/operand.ts';
import { api, unwrap } from '../../../../../web/api/client.ts';
import { type KeptScan, readKeptScan, readPrefs } from '../shared/scans/readScans.ts';

/** The indicators that the user has chosen as further columns. */
export const fetchRefs = async (): Promise<readonly Ref[]> =>
  (await unwrap(api.indicators.prefs.get(), readPrefs)).prefs.refs;

/** Replaces the chosen indicators. @throws ApiError with the server's sentence */
export async function postRefs(refs: readonly Ref[]): Promise<void> {
  await unwrap(api.indicators.prefs.post({ refs: [...refs] }));
}

/** Saves a scan; without an id it is a new one. @throws ApiError with the server's sentence */
export const keepScan = async (id: number | null, name: string, logic: Logic): Promise<KeptScan> =>
  id === null
    ? await unwrap(api.indicators.scans.post({ name, logic }), readKeptScan)
    : await unwrap(api.indicators.scans({ id }).put({ name, logic }), readKeptScan);

/** Deletes a scan. @throws ApiError with the server's sentence */
export async function deleteScan(id: number): Promise<void> {
  await unwrap(api.indicators.scans({ id }).delete());
}
