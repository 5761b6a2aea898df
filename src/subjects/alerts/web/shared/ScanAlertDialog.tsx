import type { ReadonlySignal } from '@preact/signals-react';
import { type ReactNode, useEffect, useState, useRef } from 'react';
import type { Stock } from '#market/rules/stock.ts';
import {
  filtersOnScreen,
  isSameFilters,
  MIN_CHANGE_LIMITS,
  OPEN_FILTERS,
  passesFilters,
  type ScanFilters,
  scanLines,
  usualFilters,
} from '#market/scanners/rules/filters.ts';
import { MESSAGES } from '#texts/messages.ts';
import { SCAN_EVENTS, SCAN_SCOPES } from '#subjects/alerts/answers/options.ts';
import {
  type ScanAlertView,
  scannerOfWatched,
  type ScanBacktest,
} from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { type WatchedScan } from '#subjects/alerts/answers/scanAlert.ts';
import {
  EVENT_LABELS,
  filtersOf,
  isSameScan,
  scanKey,
  scanLabel,
  SCOPE_LABELS,
  aDayText,
  firedText,
} from '../../rules/scanAlerts/scanAlertText.ts';
import { SCANNER_KEYS } from '#market/scanners/rules/scanners.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { Banner, FormError, RetryBanner } from '#ui/Banner.tsx';
import { NativeSelect } from '#ui/Field.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { endSnackbar } from '#ui/Snackbar.tsx';
import { useOwnScans } from '#subjects/indicators/web/shared/ownScans.ts';
import { loadLinkedChats } from '#subjects/chats/web/shared/linkedChats.ts';
import { pickValues, SCAN_OPTIONS } from '../../answers/options.ts';
import { loadDevices } from '#subjects/devices/web/shared/devices.ts';
import { DestinationToggles } from './Destinations.tsx';
import { OddsLink } from '#web/shared/OddsLink.tsx';
import { LIMITS, MoreOptions } from './MoreOptions.tsx';
import { NewsAlertDialog } from './NewsAlertDialog.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { showScanAlert } from './showAlert.ts';
import {
  useWork,
  newNewsAlert,
  newScanAlert,
  saveScanAlert,
  type ScanAlertDraft,
  BACKTEST_PAUSE_MS,
  backtestScanAlert,
} from './alertRequests.ts';
import { scanAlertsChanged } from './alertStream.ts';
import { confirmAdded } from './scanAlertToasts.ts';
import '../alerts.css';
import { TOO_OFTEN } from '../../rules/backtest.ts';
import { isTooOften, perDay, stricterText, withStricter } from '../../rules/scanAlerts/scanBacktest.ts';
import { isMissing } from '#web/api/client.ts';

/**
 * Backtests an alert on a scan shortly after each change.
 * @param isWhole false while a number is invalid, which prevents the backtest
 */
function useScanBacktest(draft: ScanAlertDraft, isWhole: boolean) {
  const { scan, event, scope, cooldown_minutes: cooldown, day_maximum: dayMaximum } = draft;
  const key = isWhole ? JSON.stringify([scan, event, scope, cooldown, dayMaximum]) : null;
  const { data, isCurrent, isLoading, error, problem, reload } = useLoaded(
    (signal) => backtestScanAlert(draft, signal),
    'The backtest failed. Try again.',
    { of: key, pauseMs: BACKTEST_PAUSE_MS },
  );
  return {
    found: isCurrent && !isLoading ? data : null,
    isTesting: key !== null && isLoading,
    error: isLoading ? null : error,
    // A server with only the specified routes has no backtest.
    isOffered: !isMissing(problem),
    reload,
  };
}

type Backtest = ReturnType<typeof useScanBacktest>;

/** Repeats the result next to the button that adds the alert, because the section above may be scrolled out of view. */
const BacktestNote = ({ found }: Pick<Backtest, 'found'>): ReactNode =>
  found !== null && found.days > 0 && <p className="scan-alert-note">{oftenText(found)}</p>;

const oftenText = (found: ScanBacktest): string =>
  found.fired === 0 ? 'Would not have fired' : `Would have fired ${aDayText(perDay(found))}`;

type ScanBacktestProps = {
  backtest: Backtest;
  draft: ScanAlertDraft;
  change(part: Partial<ScanAlertDraft>): void;
};

function ScanBacktest({ backtest, draft, change }: ScanBacktestProps): ReactNode {
  const { found, isTesting, error, isOffered, reload } = backtest;
  const status = useRef<HTMLDivElement>(null);
  if (!isOffered) return null;
  return (
    <section className="stack gap-2" aria-label="Backtest" aria-busy={isTesting}>
      <div className="cluster justify-between">
        <h3 className="small">Backtest</h3>
        {draft.scan.type !== 'announcements' && <OddsLink scan={draft.scan} />}
      </div>
      <div ref={status} role="status" tabIndex={-1} className="scan-alert-found">
        {isTesting && <p className="muted">Backtesting the last 20 trading days…</p>}
        {found && <Found found={found} />}
      </div>
      {error !== null && <RetryBanner onRetry={reload}>{error}</RetryBanner>}
      {found && isTooOften(found) && (
        <TooOften
          found={found}
          onApply={(stricter) => {
            const { scan, dayMaximum } = withStricter(
              { scan: draft.scan, dayMaximum: draft.day_maximum },
              stricter,
            );
            change({ scan, day_maximum: dayMaximum });
            // The button disappears, so its focus moves to the result.
            status.current?.focus();
          }}
        />
      )}
      {found?.notRehearsed.map((sentence) => (
        <p className="muted" key={sentence}>
          {sentence}
        </p>
      ))}
    </section>
  );
}

const MAX_NAMED = 8;

function Found({ found }: { found: ScanBacktest }): ReactNode {
  const { days, newest } = found;
  if (days === 0) return <p>Not tested: no past trading days are available for these stocks.</p>;
  const symbols = newest.slice(0, MAX_NAMED).map(({ symbol }) => symbol);
  return (
    <>
      <p>
        <strong>{oftenText(found)}</strong>
        {`: ${firedText(found)}.`}
        {symbols.length > 0 && ` Last: ${symbols.join(', ')}.`}
      </p>
      {days < 5 && <p className="muted">With so little history, the number may be far off.</p>}
    </>
  );
}

type TooOftenProps = {
  found: ScanBacktest;
  onApply(stricter: NonNullable<ScanBacktest['stricter']>): void;
};

function TooOften({ found: { stricter }, onApply }: TooOftenProps): ReactNode {
  if (stricter === null) {
    return (
      <Banner variant="warn">
        More than {TOO_OFTEN} times a day, and no single limit would reduce it to {TOO_OFTEN}. Choose a
        narrower scan or fewer stocks.
      </Banner>
    );
  }
  return (
    <Banner
      variant="warn"
      action={<Button onClick={() => onApply(stricter)}>{stricterText(stricter)}</Button>}
    >
      More than {TOO_OFTEN} times a day is too often to follow. A stricter alert would have fired{' '}
      {aDayText(stricter.perDay)}:
    </Banner>
  );
}

type ScanAlertDialogProps = {
  alert: ScanAlertView | null;
  scan: WatchedScan;
  /** The current rows of the scan; null or omitted if unknown. */
  matching?: ReadonlySignal<readonly Stock[]> | null;
  /** On a scanner: the number of alerts that already watch this view. */
  ofView?: number;
  onAnother?(): void;
  onClose(): void;
};

const draftOf = (alert: ScanAlertView | null, scan: WatchedScan): ScanAlertDraft => ({
  ...newScanAlert(alert?.scan ?? scan),
  ...(alert && { ...pickValues(SCAN_OPTIONS, alert), destinations: alert.destinations }),
});

/** A scan with filters is a different choice from the same scan without. */
const scanId = (scan: WatchedScan): string => `${scanKey(scan)}${scan.filters ? ' filtered' : ''}`;

function useScans(chosen: WatchedScan): WatchedScan[] {
  const own = useOwnScans() ?? [];
  const scanners = SCANNER_KEYS.flatMap((key): WatchedScan[] =>
    key === 'custom' ? [] : [{ type: 'scanner', key }],
  );
  const saved = own.map(({ id, name }): WatchedScan => ({ type: 'scan', id, name }));
  const all = [...scanners, ...saved];
  return all.some((scan) => scanId(scan) === scanId(chosen)) ? all : [...all, chosen];
}

/** Edits an alert on a scan, or on announcements. */
export const ScanAlertDialog = (props: ScanAlertDialogProps): ReactNode => {
  const scan = props.alert?.scan ?? props.scan;
  return scan.type === 'announcements' ? (
    <NewsAlertDialog alert={props.alert} draft={newNewsAlert({ scan })} onClose={props.onClose} />
  ) : (
    <ScanDialog {...props} />
  );
};

function ScanDialog(props: ScanAlertDialogProps): ReactNode {
  const { alert, scan, matching = null, ofView = 0, onAnother, onClose } = props;
  const [draft, setDraft] = useState(() => draftOf(alert, scan));
  const { isBusy, error, work } = useWork(MESSAGES.watchlist.saveAlert);
  useEffect(() => {
    // Ends the confirmation of the previous alert, which would cover the buttons.
    endSnackbar();
    void loadLinkedChats();
    void loadDevices();
  }, []);
  const change = (part: Partial<ScanAlertDraft>) => setDraft((before) => ({ ...before, ...part }));
  // A field that holds no number shows its own error.
  const { minValue, minChange = 0 } = filtersOf(draft.scan);
  const numbers = [...LIMITS.map(([{ name }]) => draft[name]), minValue, minChange];
  const isWhole = !numbers.some(Number.isNaN);
  const backtest = useScanBacktest(draft, isWhole);
  const save = () =>
    work(async () => {
      const saved = await saveScanAlert(draft, alert);
      scanAlertsChanged();
      onClose();
      if (alert === null) confirmAdded(saved);
    });
  return (
    <DialogSheet
      open
      title={alert ? 'Alert on a scan' : 'New alert on a scan'}
      description="Alerts you when a stock enters or leaves the scan."
      onClose={onClose}
      footer={
        <>
          <BacktestNote found={backtest.found} />
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={isBusy} onClick={() => isWhole && void save()}>
            {isBusy ? 'Saving…' : alert ? 'Save' : 'Add alert'}
          </Button>
        </>
      }
    >
      <div className="stack gap-4">
        {alert && onAnother && (
          <OfView count={ofView} id={alert.id} onAnother={onAnother} onClose={onClose} />
        )}
        <div className="form-row">
          <WatchedFields draft={draft} change={change} first={alert?.scan ?? scan} />
        </div>
        <DestinationToggles
          destinations={draft.destinations}
          onChange={(destinations) => change({ destinations })}
        />
        <ScanBacktest backtest={backtest} draft={draft} change={change} />
        <MoreOptions draft={draft} change={change} limits={LIMITS}>
          <Conditions draft={draft} change={change} shown={scan} matching={matching} />
        </MoreOptions>
        {error !== null && <FormError>{error}</FormError>}
      </div>
    </DialogSheet>
  );
}

type OfViewProps = { count: number; id: number; onAnother(): void; onClose(): void };

const OfView = ({ count, id, onAnother, onClose }: OfViewProps): ReactNode => (
  <div className="scan-alert-of-view row">
    <p>
      {count > 1 ? `${count} alerts watch this view. This is the first.` : 'This alert watches this view.'}
    </p>
    <Button
      onClick={() => {
        onClose();
        showScanAlert(id);
      }}
    >
      Show in list
    </Button>
    <Button onClick={onAnother}>Add another</Button>
  </div>
);

type PartProps = { draft: ScanAlertDraft; change(part: Partial<ScanAlertDraft>): void };

function WatchedFields({ draft, change, first }: PartProps & { first: WatchedScan }): ReactNode {
  const scans = useScans(first);
  const [picked, setPicked] = useState(() => scanId(first));
  return (
    <>
      <NativeSelect
        label="Scan"
        value={picked}
        options={scans.map((one) => ({
          id: scanId(one),
          label: scanLabel(scanId(one) === picked ? draft.scan : one),
        }))}
        onChoose={(id) => {
          setPicked(id);
          change({ scan: scans.find((one) => scanId(one) === id) ?? draft.scan });
        }}
      />
      <NativeSelect
        label="When a stock"
        value={draft.event}
        options={SCAN_EVENTS.map((id) => ({ id, label: EVENT_LABELS[id] }))}
        onChoose={(event) => change({ event })}
      />
      <NativeSelect
        label="Of"
        value={draft.scope}
        options={SCAN_SCOPES.map((id) => ({ id, label: SCOPE_LABELS[id] }))}
        onChoose={(scope) => change({ scope })}
      />
    </>
  );
}

type ConditionsProps = PartProps & {
  /** The scan on screen. `matching` holds its current rows. */
  shown: WatchedScan;
  matching: ReadonlySignal<readonly Stock[]> | null;
};

/** Number of rows on screen that a stricter alert matches; null if it watches more than the screen shows. */
function countOf(scan: WatchedScan, { shown, matching }: Pick<ConditionsProps, 'shown' | 'matching'>) {
  const rows = matching?.value;
  const { minValue, minChange } = filtersOf(scan);
  const onScreen = filtersOf(shown);
  const alike = { ...filtersOnScreen(filtersOf(scan)), minValue: onScreen.minValue };
  if (!rows || minValue < onScreen.minValue || !isSameScan({ ...scan, filters: alike }, shown)) return null;
  return rows.filter((row) => passesFilters(row, { ...OPEN_FILTERS, minValue, minChange }, '')).length;
}

function Conditions({ draft, change, ...screen }: ConditionsProps): ReactNode {
  const { scan } = draft;
  const count = countOf(scan, screen);
  const lines = scanLines(scannerOfWatched(scan), filtersOf(scan));
  if (scan.type === 'scan') lines.unshift(`The conditions of your scan “${scan.name}”`);
  return (
    <section className="stack" aria-label="Conditions">
      <h3 className="small">A stock is in this scan if all of these are true</h3>
      <ul className="bullets">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {count !== null && <p>{count === 1 ? '1 stock matches now.' : `${count} stocks match now.`}</p>}
      <LeastFields draft={draft} change={change} />
    </section>
  );
}

const MAX_LEAST_VALUE = 1e9;

/** Fields of the two limits that can be set here. They make any alert stricter. */
function LeastFields({ draft: { scan }, change }: PartProps): ReactNode {
  const filters = filtersOf(scan);
  const put = (part: Partial<ScanFilters>) => {
    const { minChange, ...next } = { ...filters, ...part };
    const kept = { ...next, ...(minChange !== undefined && { minChange }) };
    const { filters: _, ...bare } = scan;
    const isUsual = isSameFilters(kept, usualFilters(scannerOfWatched(scan)));
    change({ scan: isUsual ? bare : { ...bare, filters: kept } });
  };
  const isPreMarket = scan.type === 'scanner' && scan.key === 'preMarket';
  return (
    <div className="form-row">
      {!isPreMarket && (
        <NumberField
          label="Up on the day by at least (%)"
          placeholder="Any"
          value={filters.minChange ?? null}
          limits={{ ...MIN_CHANGE_LIMITS, step: 1 }}
          onNumber={(minChange) => put({ minChange: minChange ?? undefined })}
        />
      )}
      <NumberField
        label={isPreMarket ? 'Match value of at least ($)' : 'Traded value of at least ($)'}
        value={filters.minValue}
        limits={{ min: 0, max: MAX_LEAST_VALUE, step: 1000 }}
        onNumber={(minValue) => put({ minValue: minValue ?? 0 })}
      />
    </div>
  );
}
