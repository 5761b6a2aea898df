import { type ReactNode, useState } from 'react';
import { MESSAGES } from '../../../../../texts/messages.ts';
import {
  COOLDOWN_MINUTES,
  type CountRange,
  DAY_MAXIMUM,
  MINUTE_MAXIMUM,
  SCAN_EVENTS,
  SCAN_SCOPES,
  type WatchedScan,
} from '../../../rules/scanAlerts/scanAlert.ts';
import { EVENT_LABELS, scanLabel, SCOPE_LABELS } from '../../../rules/scanAlerts/scanAlertText.ts';
import type { ScanAlertView } from '../../../rules/scanAlerts/scanTrigger.ts';
import { SCANNER_KEYS } from '../../../../scanners/rules/scanners.ts';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { DialogSheet } from '../../../../../../web/ui/DialogSheet.tsx';
import { FormError } from '../../../../../../web/ui/FormError.tsx';
import { NativeSelect } from '../../../../../../web/ui/NativeSelect.tsx';
import { NumberField } from '../../../../../../web/ui/NumberField.tsx';
import { TextField } from '../../../../../../web/ui/TextField.tsx';
import { messageOf } from '../../../../../../web/api/client.ts';
import { useOwnScans } from '../../../../scanners/web/shared/scans/useOwnScans.ts';
import { saveScanAlert, type ScanAlertDraft } from './api.ts';
import { ScanAlertChats } from './ScanAlertChats.tsx';
import { ScanAlertRehearsal } from './ScanAlertRehearsal.tsx';
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
      setError(messageOf(problem, MESSAGES.watchlist.saveAlert));
      setSaving(false);
    }
  }

  return (
    <DialogSheet
      open
      title={alert ? 'Alert on a scan' : 'New alert on a scan'}
      description="It tells you of every stock that enters or leaves the scan from now on."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={isSaving} onClick={() => void save()}>
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
        <ScanAlertChats draft={draft} change={change} />
      </div>
      <ScanAlertRehearsal draft={draft} />
      {error !== null && <FormError>{error}</FormError>}
    </DialogSheet>
  );
}
