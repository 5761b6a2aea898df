import { useSignalEffect } from '@preact/signals-react';
import { Suspense } from 'react';
import { isPopup } from '../shared/popup/popup.ts';
import { isScannerPath } from '../shared/router/routes.ts';
import { route } from '../shared/router/router.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadingOverlay } from '../ui/LoadingOverlay.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Header } from './Header.tsx';
import { Shortcuts } from './shortcuts/Shortcuts.tsx';
import { ScannerStrip } from './ScannerStrip.tsx';
import { StaleStrip } from './StaleStrip.tsx';
import { Screen, titleOf } from './screens.tsx';

/** The shell around whatever screen the address names. A popup shows the screen alone. */
export function App() {
  const path = route.value;
  const onScanner = path !== null && isScannerPath(path);
  useSignalEffect(() => {
    document.title = titleOf(route.value);
  });
  return (
    <>
      <a className="skip-link" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      {!isPopup && <Header />}
      {onScanner && <ScannerStrip />}
      {(onScanner || path === '/calls' || path === '/watchlist') && <StaleStrip />}
      <main id="main" tabIndex={-1} className={onScanner ? 'main main-fixed' : 'main'}>
        <ErrorBoundary resetKey={path ?? ''}>
          <Suspense fallback={<LoadingOverlay />}>
            {path === null ? <NotFound /> : <Screen path={path} />}
          </Suspense>
        </ErrorBoundary>
      </main>
      <Shortcuts />
    </>
  );
}

/** The address after # is the route, so the link moves the focus itself. */
function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function NotFound() {
  return (
    <EmptyState
      action={
        <a className="button" href="#/">
          Go to the start page
        </a>
      }
    >
      <span>Not found.</span>
    </EmptyState>
  );
}
