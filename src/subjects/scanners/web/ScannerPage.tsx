import { computed } from '@preact/signals-react';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { SCANNERS, type ScannerKey } from '#market/scanners/rules/scanners.ts';
import { marketNow, meta, retryLive, stocks, streamState } from '#web/live/market.ts';
import { sessionPhase } from '#web/live/marketHours.ts';
import { useWatch } from '#web/live/useWatch.tsx';
import { closePopup, focusPopup, isPopup, openPopup, poppedOut } from '#web/windows/popup.ts';
import { settings } from '#web/shared/settings.ts';
import { Banner } from '#ui/Banner.tsx';
import { configureColumns } from './shared/columnSettings.ts';
import { ScannerScreen } from './ScannerScreen.tsx';
import { late, withStyles } from '#web/shared/lateStyles.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { isSummaryBarHidden } from '#subjects/marketOverview/web/shared/summaryBarChoice.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';

/** Delay before loading, so that the rows of the table and its styles come first. */
const FETCH_AFTER_MS = 1500;

const SummaryBar = lazy(async () => {
  await new Promise((done) => setTimeout(done, FETCH_AFTER_MS));
  // Without this code the scanner still works.
  const code = await withStyles(import('#subjects/marketOverview/web/shared/late.ts')).catch(() => null);
  return { default: code?.SummaryBar ?? (() => null) };
});

const hasMarket = computed(() => meta.value !== null);

/** The market bar above a scanner. Its space is reserved while its code loads, so that nothing moves. */
function OverviewPlace() {
  const isPhone = useWidthQuery('phone');
  if (isPhone || isSummaryBarHidden.value) return null;
  return (
    <aside className="overview-place" aria-label="Market">
      <Suspense>{hasMarket.value && <SummaryBar />}</Suspense>
    </aside>
  );
}

function PoppedOut({ onFocus, onClose }: { onFocus(): void; onClose(): void }): ReactNode {
  return (
    <EmptyState
      action={
        <div className="row">
          <Button variant="primary" onClick={onFocus}>
            Focus Window
          </Button>
          <Button onClick={onClose}>Close &amp; Show Here</Button>
        </div>
      }
    >
      This scanner is currently open in a separate window
    </EmptyState>
  );
}

const CustomScanner = lazy(() =>
  withStyles(import('./custom/CustomScanner.tsx')).then((code) => ({ default: code.CustomScanner })),
);

const WaitingColumns = late(() =>
  import('./shared/columns/WaitingColumns.tsx').then((code) => code.WaitingColumns),
);

// Signals of the few values that this screen needs, because `meta` is a new object with every tick.
const dateToday = computed(() => meta.value?.dateToday ?? null);
const ignoreStatus = computed(() => meta.value?.flags.ignoreStatus ?? false);

export function ScannerPage({ scanner }: { scanner: ScannerKey }): ReactNode {
  const { route } = SCANNERS[scanner];
  const [problem, setProblem] = useState<string | null>(null);
  const configure = useCallback(() => configureColumns(scanner), [scanner]);
  const popOut = useCallback(
    () =>
      setProblem(
        openPopup(route)
          ? null
          : 'The browser blocked the new window. Allow pop-ups for this address, then try again.',
      ),
    [route],
  );
  const isElsewhere = !isPopup && poppedOut.value.has(route);
  const hasStocks = useWatch(isElsewhere ? {} : { scanners: [scanner] });
  if (isElsewhere) {
    return <PoppedOut onFocus={() => focusPopup(route)} onClose={() => closePopup(route)} />;
  }
  const date = dateToday.value;
  const shared = {
    meta: date === null ? null : { dateToday: date, flags: { ignoreStatus: ignoreStatus.value } },
    phase: sessionPhase.value ?? '',
    hasStocks,
    connection: streamState.value,
    quoteLink: settings.value?.quoteSite ?? 'none',
    layout: settings.value?.columnPreferences[scanner],
    onConfigure: configure,
    onPopOut: isPopup ? null : popOut,
    onRetry: retryLive,
    banners: <Banners scanner={scanner} problem={problem} onDismiss={() => setProblem(null)} />,
  };
  return (
    <>
      <OverviewPlace />
      {scanner === 'custom' ? (
        <CustomScanner key={scanner} {...shared} />
      ) : (
        <ScannerScreen key={scanner} scanner={scanner} stocks={stocks} clock={marketNow} {...shared} />
      )}
    </>
  );
}

type BannersProps = { scanner: ScannerKey; problem: string | null; onDismiss(): void };

function Banners({ scanner, problem, onDismiss }: BannersProps): ReactNode {
  const hasWaiting = settings.value?.waitingColumns[scanner] !== undefined;
  return (
    <>
      {hasWaiting && <WaitingColumns tableKey={scanner} />}
      {problem && (
        <Banner variant="warn" onDismiss={onDismiss}>
          {problem}
        </Banner>
      )}
    </>
  );
}
