import type { ReactNode } from 'react';
import { CatalogProblem } from '../../../indicators/web/shared/CatalogProblem.tsx';
import { Banner } from '../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../web/ui/Button.tsx';
import { activeScan, changeError, dismissChangeError, loadError, loadScans } from './state.ts';

/** What went wrong with loading scans or the catalog, with the last change, or with the active scan; nothing when all is well. */
export function ScanNotices(): ReactNode {
  const problem = activeScan.value?.problem;
  return (
    <>
      {loadError.value && (
        <Banner action={<Button onClick={() => void loadScans()}>Retry</Button>}>{loadError.value}</Banner>
      )}
      <CatalogProblem />
      {changeError.value && <Banner onDismiss={dismissChangeError}>{changeError.value}</Banner>}
      {problem && <Banner variant="warn">This scan no longer works: {problem} Edit it or delete it.</Banner>}
    </>
  );
}
