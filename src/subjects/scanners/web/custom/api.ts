import type { Logic } from '#subjects/conditions/rules/condition.ts';
import type { ScanLists } from '#subjects/conditions/rules/scanLists.ts';
import type { Ref } from '#subjects/conditions/rules/operand.ts';
import { api, readRefusal, unwrap } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { keptScanAnswer, prefsAnswer } from '#subjects/indicators/answers/scans.ts';

/** The indicators that the user has chosen as further columns. */
export const fetchRefs = async (): Promise<readonly Ref[]> =>
  (await unwrap(api.indicators.prefs.get(), readerOf(prefsAnswer))).prefs.refs;

/** Replaces the chosen indicators. @throws ApiError with the server's sentence */
export async function postRefs(refs: readonly Ref[]): Promise<void> {
  await unwrap(api.indicators.prefs.post({ refs: [...refs] }));
}

/** The scan as it is kept, null when the answer does not say; or why it was refused (409: the name is taken). */
const readKept = (body: unknown) => ({
  scan: keptScanAnswer.read(body)?.scan ?? null,
  refusal: readRefusal(body, 'The scan could not be saved.'),
});

/** What a person chose of a scan. */
export type ScanChoice = { name: string; logic: Logic; lists: ScanLists | null };

/** Saves a scan; without an id it is a new one. @throws ApiError with the server's sentence */
export const keepScan = async (id: number | null, scan: ScanChoice) =>
  id === null
    ? await unwrap(api.indicators.scans.post(scan), readKept)
    : await unwrap(api.indicators.scans({ id }).put(scan), readKept);

/** Deletes a scan. @throws ApiError with the server's sentence */
export async function deleteScan(id: number): Promise<void> {
  await unwrap(api.indicators.scans({ id }).delete());
}
