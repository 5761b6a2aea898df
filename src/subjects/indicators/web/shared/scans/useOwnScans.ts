import { useEffect } from 'react';
import type { ScanView } from '#subjects/conditions/rules/savedScan.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { fetchScans } from './fetchScans.ts';
import { followScans } from '#web/shared/scanChannel.ts';

/** The user's saved scans, followed through all windows of this browser; null until they are loaded. */
export function useOwnScans(): readonly ScanView[] | null {
  const { data, reload } = useLoaded(fetchScans, 'The saved scans could not be loaded.');
  useEffect(() => followScans(() => void reload()), [reload]);
  return data;
}
