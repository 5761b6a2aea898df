import type { ReactNode } from 'react';
import { CatalogProblem } from '#subjects/indicators/web/shared/CatalogProblem.tsx';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import type { ListedMatches } from './useListedMatches.ts';
import { listProblem } from '#subjects/conditions/rules/scanLists.ts';
import { activeScan, changeError, dismissChangeError, loadError, loadScans } from './state.ts';

/** What went wrong with loading scans or the catalog, with the last change, with its lists, or with the active scan; nothing when all is well. */
export function ScanNotices({ lists }: { lists: ListedMatches }): ReactNode {
  const scan = activeScan.value;
  // A list may have been deleted since the scans were loaded.
  const problem = scan?.problem ?? (scan?.lists && lists.isGone ? listProblem(scan.lists, []) : null);
  return (
    <>
      {loadError.value && (
        <Banner action={<Button onClick={() => void loadScans()}>Retry</Button>}>{loadError.value}</Banner>
      )}
      {lists.error !== null && (
        <Banner action={<Button onClick={() => void lists.reload()}>Retry</Button>}>{lists.error}</Banner>
      )}
      <CatalogProblem />
      {changeError.value && <Banner onDismiss={dismissChangeError}>{changeError.value}</Banner>}
      {problem && <Banner variant="warn">This scan no longer works: {problem} Edit it or delete it.</Banner>}
    </>
  );
}
