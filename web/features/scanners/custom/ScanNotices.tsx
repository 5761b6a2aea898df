import type { ReactNode } from 'react';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { activeScan, changeError, dismissChangeError, loadError, loadScans } from './state.ts';

/** What went wrong with loading, with the last change, or with the active scan; nothing when all is well. */
export function ScanNotices(): ReactNode {
  const problem = activeScan.value?.problem;
  return (
    <>
      {loadError.value && (
        <Banner action={<Button onClick={() => void loadScans()}>Retry</Button>}>{loadError.value}</Banner>
      )}
      {changeError.value && <Banner onDismiss={dismissChangeError}>{changeError.value}</Banner>}
      {problem && (
        <Banner look="warn">This scan can’t match any more: {problem} Edit it or delete it.</Banner>
      )}
    </>
  );
}
