import type { ScanView } from '#subjects/conditions/rules/savedScan.ts';
import { fetchScans } from '#subjects/scanners/web/shared/scans/fetchScans.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';

const NONE: readonly ScanView[] = [];

/** The user's saved scans, as soon as they are loaded; none for a visitor, and none when they can't be loaded. */
export function useSavedScans(): readonly ScanView[] {
  // The palette is of use without them; the custom scanner says what is wrong.
  const { data } = useLoaded(fetchScans, 'The saved scans could not be loaded for the palette.', {
    of: session.value.isAuthenticated || null,
  });
  return data ?? NONE;
}
