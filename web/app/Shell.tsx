import './app.css';
import { computed, useSignalEffect } from '@preact/signals-react';
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { titlePrefix } from '#subjects/alerts/web/shared/alertStream.ts';
import { late } from '../shared/lateStyles.ts';
import { dataAgeMs, isStreamBack, meta, retryLive, streamState } from '../live/market.ts';
import { arePricesOld, currentLabel } from '../live/marketHours.ts';
import { isPopup } from '../windows/popup.ts';
import { emptyPane, lastRowStock, paneChoices, paneStock, showStock } from '../windows/stockPane.ts';
import { route } from '../router/router.ts';
import { screenTitle } from '../router/navigate.ts';
import { administers } from '../shared/settings.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadingOverlay } from '../ui/LoadingOverlay.tsx';
import { Alerts } from '#subjects/alerts/web/toasts/Alerts.tsx';
import { codeAttempt, isLoadFailure } from './fetched.tsx';
import { ErrorBoundary } from '../shared/ErrorBoundary.tsx';
import { PartFailure, ReloadButton } from './PartFailure.tsx';
import { Header } from './Header.tsx';
import { ScannerStrip } from './ScannerStrip.tsx';
import { Screen } from './screens.tsx';
import { Shortcuts } from './shortcuts/Shortcuts.tsx';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { tour } from '../shared/tour.ts';
import XIcon from 'lucide-react/icons/x';
import { Button, IconButton } from '../ui/Button.tsx';
import { dismissNewVersion, holdsTypedText, offersNewVersion } from './newVersion.ts';
import { LOST_WORDS, lostMessage, staleMessage } from '../live/staleness.ts';

/** A signal of the text, so that the strip does not render every second. */
const message = computed(() =>
  staleMessage({
    // If the clock is stopped, no prices are expected.
    ageMs: meta.value?.clockSpeed === 0 && streamState.value === 'live' ? 0 : dataAgeMs.value,
    feed: meta.value?.feed ?? null,
    label: currentLabel.value,
    connection: streamState.value,
  }),
);

/** The notice for screens without a scanner strip, which appears as soon as the stream is lost. */
const earlyMessage = computed(() => {
  if (message.value !== null || !arePricesOld.value) return message.value;
  return lostMessage(dataAgeMs.value);
});

type StaleStripProps = {
  /** Whether the scanner strip reports a lost stream; otherwise this strip does. */
  hasScannerStrip: boolean;
};

/** Screen readers announce a sentence that contains seconds once, without the seconds. */
function Words({ text }: { text: string }) {
  if (!text.startsWith(LOST_WORDS)) return <p role="status">{text}</p>;
  return (
    <p>
      <span className="visually-hidden" role="status">
        {LOST_WORDS}. Reconnecting…
      </span>
      <span aria-hidden>{text}</span>
    </p>
  );
}

/** Warns of old prices, so that they never look live. */
export function StaleStrip({ hasScannerStrip }: StaleStripProps) {
  const shown = hasScannerStrip ? message.value : earlyMessage.value;
  if (shown === null) {
    return !hasScannerStrip && isStreamBack.value ? (
      <div className="stale-strip bar tone-stale" role="status">
        <p>Back</p>
      </div>
    ) : null;
  }
  return (
    <div className="stale-strip bar tone-stale">
      <Words text={shown} />
      <Button onClick={retryLive}>Retry</Button>
    </div>
  );
}

/** Offers a reload after an update. It never reloads without a click, nor over typed text. */
function NewVersionLine() {
  const [warns, setWarns] = useState(false);
  if (!offersNewVersion.value) return null;
  const reload = () => {
    if (!warns && holdsTypedText()) setWarns(true);
    else window.location.reload();
  };
  const dismiss = () => {
    setWarns(false);
    dismissNewVersion();
  };
  return (
    <div className="new-version bar is-below muted">
      <p role="status">
        {warns ? 'Your input here is not saved. Reloading loses it.' : 'Bellbird was updated.'}
      </p>
      <Button onClick={reload}>{warns ? 'Reload anyway' : 'Reload for the new version'}</Button>
      <IconButton label="Dismiss" onClick={dismiss}>
        <XIcon size={16} aria-hidden />
      </IconButton>
    </div>
  );
}

export function ScreenFailure({ problem }: { problem: unknown }) {
  const isMissing = isLoadFailure(problem);
  return (
    <div role="alert">
      <EmptyState
        isScreen
        detail={
          isMissing
            ? 'The server may have been updated since this page was opened, or can’t be reached. Reload the page.'
            : 'Reload the page. If it happens again, tell the administrator what you were doing.'
        }
        action={<ReloadButton />}
      >
        {isMissing ? 'This screen could not be loaded.' : 'This screen stopped working.'}
      </EmptyState>
    </div>
  );
}

/** Loaded only for new users. */
const Tour = late(() => import('./Tour.tsx').then((code) => code.Tour));

const ReplayBar = late(() => import('#subjects/replay/web/ReplayBar.tsx').then((code) => code.ReplayBar));

const controlsReplay = computed(() => {
  const isOpen = meta.value?.replay?.isOpenToAll;
  return isOpen !== undefined && (isOpen || administers.value);
});

const Pane = late(() => import('#subjects/stock/web/StockPane.tsx').then((code) => code.StockPane));

/** The pane of the selected stock: docked on a wide screen, otherwise a sheet over the screen. */
function StockPane() {
  useEffect(() => emptyPane, []);
  if (paneStock.value !== null) return <Pane code={paneStock.value} />;
  const code = lastRowStock.value;
  return (
    code !== null &&
    paneChoices.value.isOff && (
      <button
        type="button"
        className="pane-tab"
        aria-label={`Show ${code} next to the table`}
        title={`Show ${code} next to the table (p)`}
        onClick={() => showStock(code)}
      >
        <span aria-hidden>‹</span>
      </button>
    )
  );
}

/** The frame of every screen. A popup has no header. */
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
          <ReplayBar />
        </Part>
      )}
      {shown?.showsPrices && (
        <Part>
          <StaleStrip hasScannerStrip={shown.tab !== undefined} />
        </Part>
      )}
      <div className="workspace">
        <Main shown={shown} />
        {shown?.hasPane && (
          <Part>
            <StockPane />
          </Part>
        )}
      </div>
      <Alerts />
      {!isPopup && session.value.isAuthenticated && tour.value.isOn && (
        <ErrorBoundary fallback={() => null}>
          <Tour />
        </ErrorBoundary>
      )}
      <NewVersionLine />
      <Shortcuts />
    </>
  );
}

/** Sets the document's title and class without rendering the screen again. */
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
  const main = useRef<HTMLElement>(null);
  // Each screen starts at its top; the element stays and would keep the scroll position of the previous one.
  useLayoutEffect(() => {
    if (main.current) main.current.scrollTop = 0;
  }, [shown?.path]);
  return (
    <main ref={main} id="main" tabIndex={-1} className={shown?.tab ? 'main main-fixed' : 'main'}>
      <ErrorBoundary
        resetKey={`${shown?.path ?? ''} ${codeAttempt.value}`}
        fallback={(problem) => <ScreenFailure problem={problem} />}
      >
        <Suspense fallback={<LoadingOverlay />}>{shown ? <Screen route={shown} /> : <NotFound />}</Suspense>
      </ErrorBoundary>
    </main>
  );
}

/** A part that may fail without affecting others. Opening another screen retries it. */
function Part({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary resetKey={route.value?.path ?? ''} fallback={() => <PartFailure />}>
      {children}
    </ErrorBoundary>
  );
}

/** Moves the focus itself, because the address after # is the route. */
function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function NotFound() {
  return (
    <EmptyState
      isScreen
      action={
        <a className="button" href="#/">
          Go to the start page
        </a>
      }
    >
      Not found.
    </EmptyState>
  );
}
