import { type ReactNode, useEffect, useState } from 'react';
import type { ChatPlatform } from '../../../src/domain/chats/chatPlatform.ts';
import { CHAT_PLATFORMS, PLATFORM_NAMES } from '../../../src/domain/chats/chatPlatform.ts';
import {
  COOLDOWN_MINUTES,
  type CountRange,
  DAY_MAXIMUM,
  MINUTE_MAXIMUM,
  SCAN_EVENTS,
  SCAN_SCOPES,
  type WatchedScan,
} from '../../../src/domain/scanAlerts/scanAlert.ts';
import {
  EVENT_LABELS,
  scanLabel,
  SCOPE_LABELS,
  rehearsedText,
} from '../../../src/domain/scanAlerts/scanAlertText.ts';
import type { ScanAlertView, ScanRehearsal } from '../../../src/domain/scanAlerts/scanTrigger.ts';
import { SCANNER_KEYS } from '../../../src/domain/scanners/scanners.ts';
import { Button } from '../../ui/Button.tsx';
import { DialogSheet } from '../../ui/DialogSheet.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { NativeSelect } from '../../ui/NativeSelect.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { messageOf } from '../api/client.ts';
import { fetchLinkedChats } from '../linkedChats.ts';
import { useOwnScans } from '../scans/useOwnScans.ts';
import { rehearseScanAlert, saveScanAlert, type ScanAlertDraft } from './api.ts';
import { scanAlertsChanged } from './scanAlertTurns.ts';
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
      }
    : {
        ...{ name: null, scan, event: 'enters', scope: 'market' },
        cooldownMinutes: COOLDOWN_MINUTES.start,
        dayMaximum: DAY_MAXIMUM.start,
        minuteMaximum: MINUTE_MAXIMUM.start,
        destinations: { telegram: false, discord: false },
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

/** The platforms on which there is a chat; null until that is known. */
function useLinkedPlatforms(): readonly ChatPlatform[] | null {
  const [platforms, setPlatforms] = useState<readonly ChatPlatform[] | null>(null);
  useEffect(() => {
    let isWanted = true;
    fetchLinkedChats().then(
      (chats) => {
        if (isWanted)
          setPlatforms(CHAT_PLATFORMS.filter((one) => chats.some(({ platform }) => platform === one)));
      },
      (problem: unknown) => console.warn('The linked chats could not be loaded.', problem),
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return platforms;
}

const limitsOf = ({ least, most }: CountRange) => ({ min: least, max: most, step: 1 });

/** Makes an alert on a whole scan, or changes one. Import it lazily. */
export function ScanAlertDialog({ alert, scan, onClose }: ScanAlertDialogProps): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(alert, scan));
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const change = (part: Partial<ScanAlertDraft>) => setDraft((before) => ({ ...before, ...part }));
  const scans = useScans(draft.scan);

  async function save(): Promise<void> {
    setSaving(true);
    try {
      await saveScanAlert(draft, alert);
      scanAlertsChanged();
      onClose();
    } catch (problem) {
      setError(messageOf(problem, 'Failed to save alert'));
      setSaving(false);
    }
  }

  return (
    <DialogSheet
      open
      title={alert ? 'Alert on a scan' : 'New alert on a scan'}
      description="It tells you of every stock that enters (or leaves) the scan. Stocks that are in it now have entered already."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={isSaving} onClick={() => void save()}>
            {isSaving ? 'Saving…' : alert ? 'Save' : 'Add alert'}
          </Button>
        </>
      }
    >
      <div className="scan-alert-form">
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
        <NumberField
          label="Same stock again after (minutes)"
          value={draft.cooldownMinutes}
          limits={limitsOf(COOLDOWN_MINUTES)}
          onNumber={(value) => change({ cooldownMinutes: value ?? COOLDOWN_MINUTES.start })}
        />
        <NumberField
          label="Same stock a day, at most"
          value={draft.dayMaximum}
          limits={limitsOf(DAY_MAXIMUM)}
          onNumber={(value) => change({ dayMaximum: value ?? DAY_MAXIMUM.start })}
        />
        <NumberField
          label="Messages a minute, the rest in one"
          value={draft.minuteMaximum}
          limits={limitsOf(MINUTE_MAXIMUM)}
          onNumber={(value) => change({ minuteMaximum: value ?? MINUTE_MAXIMUM.start })}
        />
        <TextField
          label="Name (optional)"
          value={draft.name ?? ''}
          onChange={(event) => change({ name: event.target.value || null })}
        />
        <Chats draft={draft} change={change} />
      </div>
      <Rehearsal draft={draft} />
      {error !== null && <FormError>{error}</FormError>}
    </DialogSheet>
  );
}

type ChatsProps = { draft: ScanAlertDraft; change(part: Partial<ScanAlertDraft>): void };

function Chats({ draft, change }: ChatsProps): ReactNode {
  const platforms = useLinkedPlatforms();
  if (platforms === null) return null;
  if (platforms.length === 0)
    return <p className="muted">Shown in the browser. Link a chat in Settings to get it there.</p>;
  return (
    <div className="scan-alert-chats">
      {platforms.map((platform) => (
        <Toggle
          key={platform}
          label={PLATFORM_NAMES[platform]}
          checked={draft.destinations[platform]}
          onChange={(isOn) => change({ destinations: { ...draft.destinations, [platform]: isOn } })}
        />
      ))}
    </div>
  );
}

function Rehearsal({ draft }: { draft: ScanAlertDraft }): ReactNode {
  const [found, setFound] = useState<{ of: string; result: ScanRehearsal | string } | null>(null);
  const [isRunning, setRunning] = useState(false);
  const key = JSON.stringify([draft.scan, draft.event, draft.scope, draft.cooldownMinutes, draft.dayMaximum]);
  async function run(): Promise<void> {
    setRunning(true);
    try {
      setFound({ of: key, result: await rehearseScanAlert(draft) });
    } catch (problem) {
      setFound({ of: key, result: messageOf(problem, 'The past could not be run. Try again.') });
    }
    setRunning(false);
  }
  const result = found?.of === key ? found.result : null;
  return (
    <div className="scan-alert-past">
      <Button disabled={isRunning} onClick={() => void run()}>
        {isRunning ? 'Running the last 20 days…' : 'Try it on the last 20 days'}
      </Button>
      <div role="status">{typeof result === 'string' ? result : result && <Found result={result} />}</div>
    </div>
  );
}

function Found({ result }: { result: ScanRehearsal }): ReactNode {
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
