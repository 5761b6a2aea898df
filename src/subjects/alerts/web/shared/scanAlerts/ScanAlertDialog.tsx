import type { ReadonlySignal } from '@preact/signals-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Stock } from '#market/rules/stock.ts';
import { OPEN_FILTERS, passesFilters } from '#market/scanners/rules/filters.ts';
import { NOWHERE } from '#subjects/alerts/rules/alert.ts';
import { MESSAGES } from '#texts/messages.ts';
import {
  SCAN_EVENTS,
  SCAN_SCOPES,
  type ScanAlertView,
  scannerOfWatched,
  type WatchedScan,
} from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import {
  EVENT_LABELS,
  filtersOf,
  isSameScan,
  scanAlertTitle,
  scanLabel,
  SCOPE_LABELS,
} from '#subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import {
  filtersOnScreen,
  isSameFilters,
  MIN_CHANGE_LIMITS,
  type ScanFilters,
  scanLines,
  usualFilters,
} from '#market/scanners/rules/scanFilters.ts';
import { SCANNER_KEYS } from '#market/scanners/rules/scanners.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { FormError } from '#ui/FormError.tsx';
import { NativeSelect } from '#ui/NativeSelect.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { endSnackbar, showSnackbar } from '#ui/Snackbar.tsx';
import { TextField } from '#ui/TextField.tsx';
import { useOwnScans } from '#subjects/indicators/web/shared/scans/useOwnScans.ts';
import { CHAT_PLATFORMS, PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import { fetchLinkedChats, platformsOf } from '#subjects/chats/web/shared/linkedChats.ts';
import { MAX_GROUP_NAME, pickTold, SCAN_OPTIONS, startOf, toldOf } from '#subjects/alerts/answers/options.ts';
import { hasDevices } from '#subjects/devices/rules/device.ts';
import { devicesInUse, fetchDevices } from '#subjects/devices/web/shared/devices.ts';
import { couldBeDevice, DeviceToggles } from '#subjects/devices/web/shared/DeviceToggles.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { Toggle } from '#ui/Toggle.tsx';
import { GuardField } from '../GuardField.tsx';
import { SoundField } from '../SoundField.tsx';
import { showScanAlert } from '../showAlert.ts';
import { useWork } from '../useWork.ts';
import { BacktestNote, ScanBacktest, useScanBacktest } from './ScanBacktest.tsx';
import { saveScanAlert, type ScanAlertDraft } from './api.ts';
import { scanAlertsChanged } from '../alertStream.ts';
import '../alerts.css';

type ScanAlertDialogProps = {
  /** The alert that is changed; null for a new one. */
  alert: ScanAlertView | null;
  /** The scan that a new one begins with. */
  scan: WatchedScan;
  /** What stands in that scan now; null, or left out, where that is not at hand. */
  matching?: ReadonlySignal<readonly Stock[]> | null;
  /** How many alerts watch what is on screen already; on a scanner. */
  ofView?: number;
  /** Begins another one on what is on screen. */
  onAnother?(): void;
  onClose(): void;
};

const draftOf = (alert: ScanAlertView | null, scan: WatchedScan): ScanAlertDraft => ({
  ...(alert ? pickTold(SCAN_OPTIONS, alert) : toldOf(SCAN_OPTIONS, startOf(SCAN_OPTIONS))),
  scan: alert?.scan ?? scan,
  destinations: alert?.destinations ?? NOWHERE,
});

/** A scan with filters is another choice than the same one without. */
const scanId = (scan: WatchedScan): string =>
  `${scan.type === 'scan' ? `scan ${scan.id}` : scan.key}${scan.filters ? ' filtered' : ''}`;

/** The scanners, the user's saved scans, and the one that is chosen, also where it is gone. */
function useScans(chosen: WatchedScan): WatchedScan[] {
  const own = useOwnScans() ?? [];
  const scanners = SCANNER_KEYS.flatMap((key): WatchedScan[] =>
    key === 'custom' ? [] : [{ type: 'scanner', key }],
  );
  const saved = own.map(({ id, name }): WatchedScan => ({ type: 'scan', id, name }));
  const all = [...scanners, ...saved];
  return all.some((scan) => scanId(scan) === scanId(chosen)) ? all : [...all, chosen];
}

/** Makes an alert on a whole scan, or changes one. Import it lazily. */
export function ScanAlertDialog(props: ScanAlertDialogProps): ReactNode {
  const { alert, scan, matching = null, ofView = 0, onAnother, onClose } = props;
  const [draft, setDraft] = useState(() => draftOf(alert, scan));
  const { isBusy, error, work } = useWork(MESSAGES.watchlist.saveAlert);
  // The confirmation of the last alert would cover the buttons.
  useEffect(endSnackbar, []);
  const change = (part: Partial<ScanAlertDraft>) => setDraft((before) => ({ ...before, ...part }));
  // A box that does not hold a number shows its own message.
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
      description="It tells you of every stock that enters or leaves the scan from now on."
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
        <Conditions draft={draft} change={change} shown={scan} matching={matching} />
        <ScanBacktest backtest={backtest} draft={draft} change={change} />
        <div className="form-row">
          <Limits draft={draft} change={change} />
          <MannerFields draft={draft} change={change} />
        </div>
        {error !== null && <FormError>{error}</FormError>}
      </div>
    </DialogSheet>
  );
}

/** Says which alert was added, and leads to it. */
const confirmAdded = (alert: ScanAlertView): void =>
  showSnackbar(`Alert added: ${[alert.name, scanAlertTitle(alert)].filter(Boolean).join(', ')}`, {
    label: 'Show alert',
    run: () => showScanAlert(alert.id),
  });

type OfViewProps = { count: number; id: number; onAnother(): void; onClose(): void };

/** What is on screen has an alert already: this one, which its list shows with all that it fired on. */
const OfView = ({ count, id, onAnother, onClose }: OfViewProps): ReactNode => (
  <div className="scan-alert-of-view row">
    <p>
      {count > 1
        ? `${count} alerts watch what is on screen. This is the first.`
        : 'This alert watches what is on screen.'}
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

/** What it is called, how it makes itself known, and where it is filed. */
const MannerFields = ({ draft, change }: PartProps): ReactNode => (
  <>
    <TextField
      label="Name (optional)"
      value={draft.name ?? ''}
      onChange={(event) => change({ name: event.target.value || null })}
    />
    <ScanAlertPlaces draft={draft} change={change} />
    <TextField
      label="Group (optional)"
      value={draft.group ?? ''}
      maxLength={MAX_GROUP_NAME}
      onChange={({ target }) => change({ group: target.value || null })}
    />
    <SoundField sound={draft.sound} onChange={(sound) => change({ sound })} />
    <GuardField guard={draft.event_guard} onChange={(event_guard) => change({ event_guard })} />
    <Toggle
      label="Urgent: not held by quiet hours"
      checked={draft.urgent}
      onChange={(urgent) => change({ urgent })}
    />
  </>
);

/** @property first the scan that the dialog began with: it stays to choose from */
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
  /** The scan that is on screen, and its rows now. */
  shown: WatchedScan;
  matching: ReadonlySignal<readonly Stock[]> | null;
};

/** How many of the rows on screen a stricter alert takes; null if it watches more than what is on screen. */
function countOf(scan: WatchedScan, { shown, matching }: Pick<ConditionsProps, 'shown' | 'matching'>) {
  const rows = matching?.value;
  const { minValue, minChange } = filtersOf(scan);
  const onScreen = filtersOf(shown);
  const alike = { ...filtersOnScreen(filtersOf(scan)), minValue: onScreen.minValue };
  if (!rows || minValue < onScreen.minValue || !isSameScan({ ...scan, filters: alike }, shown)) return null;
  return rows.filter((row) => passesFilters(row, { ...OPEN_FILTERS, minValue, minChange }, '')).length;
}

/** The conditions of a scan in words, so that a person can check them. */
function Conditions({ draft, change, ...screen }: ConditionsProps): ReactNode {
  const { scan } = draft;
  const count = countOf(scan, screen);
  const lines = scanLines(scannerOfWatched(scan), filtersOf(scan));
  if (scan.type === 'scan') lines.unshift(`The conditions of your scan “${scan.name}”`);
  return (
    <section className="stack" aria-label="Conditions">
      <h3 className="small">A stock is in this scan if all of this holds</h3>
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

/** The two limits of a scan that can be changed here, as they make any alert stricter. */
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

const { cooldownMinutes, dayMaximum, minuteMaximum } = SCAN_OPTIONS;
const LIMITS = [
  [cooldownMinutes, 'Same stock again after (minutes)'],
  [dayMaximum, 'Same stock a day, at most'],
  [minuteMaximum, 'Messages a minute, the rest in one'],
] as const;

const Limits = ({ draft, change }: PartProps): ReactNode =>
  LIMITS.map(([{ name, range }, label]) => (
    <NumberField
      key={name}
      label={label}
      value={draft[name]}
      limits={{ min: range.least, max: range.most, step: 1 }}
      onNumber={(value) => change({ [name]: value ?? range.start })}
    />
  ));

/** Where an alert on a scan is told besides the browser. */
function ScanAlertPlaces({ draft, change }: PartProps): ReactNode {
  const { data: chats } = useLoaded(fetchLinkedChats, 'The linked chats could not be loaded.');
  const { data: own } = useLoaded(fetchDevices, 'Your devices could not be loaded.');
  if (chats === null) return null;
  const { destinations } = draft;
  const linked = platformsOf(chats);
  const platforms = CHAT_PLATFORMS.filter((platform) => linked[platform]);
  const hasNone = platforms.length === 0 && devicesInUse(own).length === 0;
  if (hasNone && !hasDevices(destinations.devices)) {
    const how = couldBeDevice()
      ? 'link a chat or allow notifications in Settings'
      : 'link a chat in Settings';
    return <p className="muted">Shown in the browser. To get it on your phone, {how}.</p>;
  }
  return (
    <div className="row gap-2-3">
      {platforms.map((platform) => (
        <Toggle
          key={platform}
          label={PLATFORM_NAMES[platform]}
          checked={destinations[platform]}
          onChange={(isOn) => change({ destinations: { ...destinations, [platform]: isOn } })}
        />
      ))}
      <DeviceToggles
        own={own}
        choice={destinations.devices}
        hasChat={platforms.some((platform) => destinations[platform])}
        onChange={(devices) => change({ destinations: { ...destinations, devices } })}
      />
    </div>
  );
}
