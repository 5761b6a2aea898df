import type { Logic } from '../../../../src/domain/conditions/condition.ts';
import type { Ref } from '../../../../src/domain/conditions/operand.ts';
import type { Scan, ScanView } from '../../../../src/features/indicators/scans.ts';
import { api, unwrap } from '../../../shared/api/client.ts';

export type { Scan, ScanView };

/** What the server made of a scan, or why it refused it (409: the name is taken). */
export type Kept = { scan: Scan } | { error: string };

function keptOf(answer: { scan: Scan } | object): Kept {
  if ('scan' in answer) return { scan: answer.scan };
  return { error: 'error' in answer ? String(answer.error) : 'The scan could not be saved.' };
}

export const fetchRefs = async (): Promise<readonly Ref[]> =>
  (await unwrap(api.indicators.prefs.get())).prefs.refs;

export const postRefs = async (refs: readonly Ref[]): Promise<readonly Ref[]> =>
  (await unwrap(api.indicators.prefs.post({ refs: [...refs] }))).refs;

export const fetchScans = async (): Promise<readonly ScanView[]> =>
  (await unwrap(api.indicators.scans.get())).scans;

/** Saves a scan; without an id it is a new one. @throws ApiError with the server's sentence */
export const keepScan = async (id: number | null, name: string, logic: Logic): Promise<Kept> =>
  keptOf(
    id === null
      ? await unwrap(api.indicators.scans.post({ name, logic }))
      : await unwrap(api.indicators.scans({ id }).put({ name, logic })),
  );

export async function deleteScan(id: number): Promise<void> {
  await unwrap(api.indicators.scans({ id }).delete());
}
