import type { ScanView } from '#subjects/conditions/rules/savedScan.ts';
import { scansAnswer } from '../../answers/scans.ts';
import { readerOf, request } from '#web/api/client.ts';
import { useEffect } from 'react';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { followScans } from '#web/shared/scanChannel.ts';

export const fetchScans = async (): Promise<readonly ScanView[]> =>
  (await request('GET /api/indicators/scans', { read: readerOf(scansAnswer) })).scans;

/** The user's saved scans, updated by other windows of this browser; null until loaded. */
export function useOwnScans(): readonly ScanView[] | null {
  const { data, reload } = useLoaded(fetchScans, 'The saved scans could not be loaded.');
  useEffect(() => followScans(() => void reload()), [reload]);
  return data;
}
