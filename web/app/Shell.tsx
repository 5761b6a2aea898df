import './Shell.css';
import { computed, useSignalEffect } from '@preact/signals-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { titlePrefix } from '#subjects/alerts/web/shared/unseenTriggers.ts';
import { withStyles } from '../shared/lateStyles.ts';
import { meta } from '../live/market.ts';
import { arePricesOld } from '../live/marketHours.ts';
import { isPopup } from '../popup/popup.ts';
import { route } from '../router/router.ts';
import { screenTitle } from '../router/screenTitle.ts';
import { administers } from '../shared/settings.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadingOverlay } from '../ui/LoadingOverlay.tsx';
import { Alerts } from '#subjects/alerts/web/toasts/Alerts.tsx';
import { codeAttempt } from './fetched.tsx';
import { ErrorBoundary } from '../shared/ErrorBoundary.tsx';
import { PartFailure } from './failure/PartFailure.tsx';
import { ScreenFailure } from './failure/ScreenFailure.tsx';
import { Header } from './Header.tsx';
import { Hints } from './hints/Hints.tsx';
import { NewVersionLine } from './newVersion/NewVersionLine.tsx';
import { ScannerStrip } from './ScannerStrip.tsx';
import { Screen } from './screens.tsx';
import { Shortcuts } from './shortcuts/Shortcuts.tsx';
import { StaleStrip } from './StaleStrip.tsx';

const ReplayBar = lazy(() =>
  withStyles(import('#subjects/replay/web/ReplayBar.tsx')).then((code) => ({
    default: code.ReplayBar,
  })),
);

/** Whether the market is a recording that this person may control; nobody else fetches the controls. */
const controlsReplay = computed(() => {
  const isOpen = meta.value?.replay?.isOpenToAll;
  return isOpen !== undefined && (isOpen || administers.value);
});

/** What stands around whatever screen the address names. A popup shows the screen without the header. */
export function Shell() {
  const shown = route.value;
  useDocument();
  return (
    <>
      <a className="skip-link" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      {!isPopup && (
        <Part>
          <Header />
        </Part>
      )}
      {shown?.tab && (
        <Part>
          <ScannerStrip />
        </Part>
      )}

      {shown?.tab && controlsReplay.value && (
        <Part>
          <Suspense fallback={null}>
            <ReplayBar />
          </Suspense>
        </Part>
      )}
      {shown?.showsPrices && (
        <Part>
          <StaleStrip hasScannerStrip={shown.tab !== undefined} />
        </Part>
      )}
      <Main shown={shown} />
      <Alerts />
      <Hints />
      <NewVersionLine />
      <Shortcuts />
    </>
  );
}

/** Title and class of the document follow what is shown; the screen need not be drawn again for them. */
function useDocument(): void {
  useSignalEffect(() => {
    const title = screenTitle.value ?? route.value?.title ?? 'Not found';
    document.title = `${titlePrefix.value}${title} · Bellbird`;
  });
  useSignalEffect(() => {
    document.documentElement.classList.toggle('prices-old', arePricesOld.value);
  });
}

function Main({ shown }: { shown: typeof route.value }) {
  return (
    <main id="main" tabIndex={-1} className={shown?.tab ? 'main main-fixed' : 'main'}>
      <ErrorBoundary
        resetKey={`${shown?.path ?? ''} ${codeAttempt.value}`}
        fallback={(problem) => <ScreenFailure problem={problem} />}
      >
        <Suspense fallback={<LoadingOverlay />}>{shown ? <Screen route={shown} /> : <NotFound />}</Suspense>
      </ErrorBoundary>
    </main>
  );
}

/** A part of the shell that may fail alone; another screen gives it another chance. */
function Part({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary resetKey={route.value?.path ?? ''} fallback={() => <PartFailure />}>
      {children}
    </ErrorBoundary>
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
