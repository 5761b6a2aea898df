import { type ReactNode, useState } from 'react';
import { NOWHERE } from '../../../rules/alert.ts';
import { MESSAGES } from '../../../../../texts/messages.ts';
import {
  COOLDOWN_MINUTES,
  DAY_MAXIMUM,
  MINUTE_MAXIMUM,
  SCAN_EVENTS,
  SCAN_SCOPES,
  type WatchedScan,
} from '../../../rules/scanAlerts/scanAlert.ts';
import {
  EVENT_LABELS,
  rehearsedText,
  scanLabel,
  SCOPE_LABELS,
} from '../../../rules/scanAlerts/scanAlertText.ts';
import { GUARD_NOT_REHEARSED } from '../../../rules/eventGuard.ts';
import type { ScanAlertView, ScanRehearsal } from '../../../rules/scanAlerts/scanTrigger.ts';
import { SCANNER_KEYS } from '../../../../scanners/rules/scanners.ts';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { DialogSheet } from '../../../../../../web/ui/DialogSheet.tsx';
import { FormError } from '../../../../../../web/ui/FormError.tsx';
import { NativeSelect } from '../../../../../../web/ui/NativeSelect.tsx';
import { NumberField } from '../../../../../../web/ui/NumberField.tsx';
import { TextField } from '../../../../../../web/ui/TextField.tsx';
import { messageOf } from '../../../../../../web/api/client.ts';
import { useOwnScans } from '../../../../scanners/web/shared/scans/useOwnScans.ts';
import { CHAT_PLATFORMS, PLATFORM_NAMES } from '../../../../chats/rules/chatPlatform.ts';
import { fetchLinkedChats, platformsOf } from '../../../../chats/web/shared/linkedChats.ts';
import { MAX_GROUP_NAME, mannerOf, PLAIN_MANNER } from '../../../rules/manner.ts';
import { hasDevices } from '../../../../devices/rules/device.ts';
import { devicesInUse, fetchDevices } from '../../../../devices/web/shared/devices.ts';
import { couldBeDevice, DeviceToggles } from '../../../../devices/web/shared/DeviceToggles.tsx';
import { useLoaded } from '../../../../../../web/shared/useLoaded.ts';
import { Toggle } from '../../../../../../web/ui/Toggle.tsx';
import { GuardField } from '../GuardField.tsx';
import { SoundField } from '../SoundField.tsx';
import { useWork } from '../useWork.ts';
import { rehearseScanAlert, saveScanAlert, type ScanAlertDraft } from './api.ts';
import { scanAlertsChanged } from '../alertStream.ts';
import './ScanAlertDialog.css';

type ScanAlertDialogProps = {
  /** The alert that is changed; null for a new one. */
  alert: ScanAlertView | null;
  /** The scan that a new one begins with. */
  scan: WatchedScan;
  onClose(): void;
};

const draftOf = (alert: ScanAlertView | null, scan: WatchedScan): ScanAlertDraft =>
  alert
    ? {
        name: alert.name,
        scan: alert.scan,
        event: alert.event,
        scope: alert.scope,
        cooldownMinutes: alert.cooldown_minutes,
        dayMaximum: alert.day_maximum,
        minuteMaximum: alert.minute_maximum,
        destinations: alert.destinations,
        guard: alert.event_guard,
        ...mannerOf(alert),
      }
    : {
        ...{ name: null, scan, event: 'enters', scope: 'market' },
        cooldownMinutes: COOLDOWN_MINUTES.start,
        dayMaximum: DAY_MAXIMUM.start,
        minuteMaximum: MINUTE_MAXIMUM.start,
        destinations: NOWHERE,
        guard: null,
        ...PLAIN_MANNER,
      };

const scanId = (scan: WatchedScan): string => (scan.type === 'scanner' ? scan.key : `scan ${scan.id}`);

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
export function ScanAlertDialog({ alert, scan, onClose }: ScanAlertDialogProps): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(alert, scan));
  const { isBusy, error, work } = useWork(MESSAGES.watchlist.saveAlert);
  const change = (part: Partial<ScanAlertDraft>) => setDraft((before) => ({ ...before, ...part }));
  const save = () =>
    work(async () => {
      await saveScanAlert(draft, alert);
      scanAlertsChanged();
      onClose();
    });
  return (
    <DialogSheet
      open
      title={alert ? 'Alert on a scan' : 'New alert on a scan'}
      description="It tells you of every stock that enters or leaves the scan from now on."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={isBusy} onClick={() => void save()}>
            {isBusy ? 'Saving…' : alert ? 'Save' : 'Add alert'}
          </Button>
        </>
      }
    >
      <div className="scan-alert-form">
        <WatchedFields draft={draft} change={change} />
        <Limits draft={draft} change={change} />
        <MannerFields draft={draft} change={change} />
      </div>
      <ScanAlertRehearsal draft={draft} />
      {error !== null && <FormError>{error}</FormError>}
    </DialogSheet>
  );
}

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
    <GuardField guard={draft.guard} onChange={(guard) => change({ guard })} />
    <Toggle
      label="Urgent: not held by quiet hours"
      checked={draft.urgent}
      onChange={(urgent) => change({ urgent })}
    />
  </>
);

function WatchedFields({ draft, change }: PartProps): ReactNode {
  const scans = useScans(draft.scan);
  return (
    <>
      <NativeSelect
        label="Scan"
        value={scanId(draft.scan)}
        options={scans.map((one) => ({ id: scanId(one), label: scanLabel(one) }))}
        onChoose={(id) => change({ scan: scans.find((one) => scanId(one) === id) ?? draft.scan })}
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

const LIMITS = [
  ['cooldownMinutes', 'Same stock again after (minutes)', COOLDOWN_MINUTES],
  ['dayMaximum', 'Same stock a day, at most', DAY_MAXIMUM],
  ['minuteMaximum', 'Messages a minute, the rest in one', MINUTE_MAXIMUM],
] as const;

const Limits = ({ draft, change }: PartProps): ReactNode =>
  LIMITS.map(([name, label, { least, most, start }]) => (
    <NumberField
      key={name}
      label={label}
      value={draft[name]}
      limits={{ min: least, max: most, step: 1 }}
      onNumber={(value) => change({ [name]: value ?? start })}
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
    <div className="scan-alert-chats">
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

/** Runs an alert on a scan over the past, when that is asked for. */
function ScanAlertRehearsal({ draft }: Pick<PartProps, 'draft'>): ReactNode {
  const [found, setFound] = useState<{ of: string; result: ScanRehearsal | string } | null>(null);
  const [isRunning, setRunning] = useState(false);
  const key = JSON.stringify([draft.scan, draft.event, draft.scope, draft.cooldownMinutes, draft.dayMaximum]);
  async function run(): Promise<void> {
    setRunning(true);
    try {
      setFound({ of: key, result: await rehearseScanAlert(draft) });
    } catch (problem) {
      setFound({ of: key, result: messageOf(problem, 'The backtest failed. Try again.') });
    }
    setRunning(false);
  }
  const result = found?.of === key ? found.result : null;
  return (
    <div className="scan-alert-past">
      <Button disabled={isRunning} onClick={() => void run()}>
        {isRunning ? 'Running the last 20 days…' : 'Try it on the last 20 days'}
      </Button>
      <div role="status">{typeof result === 'string' ? result : result && <Rehearsed result={result} />}</div>
      {result !== null && draft.guard !== null && <p className="muted">{GUARD_NOT_REHEARSED}</p>}
    </div>
  );
}

function Rehearsed({ result }: { result: ScanRehearsal }): ReactNode {
  const { fired, stocks, days, busiestDay, newest, notRehearsed } = result;
  return (
    <>
      {days > 0 && (
        <p>
          {rehearsedText(fired, stocks)} in {days} trading {days === 1 ? 'day' : 'days'}
          {fired > 0 && `, ${busiestDay} on the busiest day`}.
          {newest.length > 0 &&
            ` Last: ${newest
              .slice(0, 8)
              .map(({ symbol }) => symbol)
              .join(', ')}.`}
        </p>
      )}
      {notRehearsed.map((sentence) => (
        <p className="muted" key={sentence}>
          {sentence}
        </p>
      ))}
    </>
  );
}
