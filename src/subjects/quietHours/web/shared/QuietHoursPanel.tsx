import './quietHours.css';
import { type ReactNode, useState } from 'react';
import type { Known } from '#lib/contract/fields.ts';
import { MESSAGES } from '#texts/messages.ts';
import { ifMissing, messageOf, readerOf, request } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { NativeSelect, RadioGroup, Toggle } from '#ui/Field.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { TimeField } from '#ui/TimeField.tsx';
import { browserZone, currentZoneName, listedZones, zoneLabel } from '#web/shared/zoneNames.ts';
import { quietHoursAnswer } from '#subjects/quietHours/answers/quietHours.ts';
import { type DigestChoice, NO_QUIET_HOURS, type QuietHours } from '#subjects/quietHours/rules/quietHours.ts';

type Shown = Known<typeof quietHoursAnswer>;
const read = readerOf(quietHoursAnswer);

/** Fetches the quiet hours; 'none' from a server with only the specified routes. */
const fetchQuietHours = (): Promise<Shown | 'none'> =>
  request('GET /api/settings/quiet-hours', { read }).catch(ifMissing('none' as const));

const DIGEST_CHOICES: readonly { id: DigestChoice; label: string }[] = [
  { id: 'end', label: 'Afterwards' },
  { id: 'hourly', label: 'Hourly' },
  { id: 'always', label: 'Hourly, all day' },
];

/** Zones to offer, including the chosen one even if the browser does not list it. */
const zonesWith = (chosen: string): { id: string; label: string }[] =>
  [...new Set([...listedZones(), chosen])].map((zone) => ({ id: zone, label: zoneLabel(zone) }));

/** The zone to show; the browser's if quiet hours were never active. */
const zoneOf = ({ active, zone }: Shown): string =>
  active || zone !== NO_QUIET_HOURS.zone ? currentZoneName(zone) : (browserZone() ?? zone);

export function QuietHoursPanel(): ReactNode {
  const { data, error, reload, set } = useLoaded(fetchQuietHours, MESSAGES.settings.loadQuietHours);
  if (data === 'none') return null;
  return (
    <section className="panel" aria-labelledby="quiet-hours-panel">
      <h2 id="quiet-hours-panel">Quiet hours</h2>
      <p className="muted">
        During quiet hours, messages to your chats and devices are held and sent together afterwards. Urgent
        alerts, reminders and bot replies are sent straight away. Open windows still show alerts.
      </p>
      {error !== null && (
        <Banner action={<Button onClick={() => void reload()}>Retry</Button>}>
          {error}
          {data !== null && <span> · Showing the last version loaded</span>}
        </Banner>
      )}
      {data === null && error === null && <SkeletonRows rows={3} label="Loading…" />}
      {data !== null && <QuietHoursForm shown={data} onSaved={set} />}
    </section>
  );
}

type QuietHoursFormProps = { shown: Shown; onSaved(saved: Shown): void };

function useSaving({ shown, onSaved }: QuietHoursFormProps) {
  const [wanted, want] = useState<Partial<QuietHours>>({});
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { waiting, ...held } = shown;
  const hours: QuietHours = { ...held, zone: zoneOf(shown), ...wanted };
  const save = async (change: Partial<QuietHours>) => {
    const body = { ...hours, ...change };
    want(change);
    setBusy(true);
    setError(null);
    try {
      onSaved(await request('PUT /api/settings/quiet-hours', { body, read }));
      want({});
    } catch (problem) {
      // The choice stays, so that the user can correct or retry it.
      setError(messageOf(problem, MESSAGES.settings.save));
    } finally {
      setBusy(false);
    }
  };
  return { hours, waiting, error, isBusy, save, retry: () => save(wanted), dismiss: () => setError(null) };
}

function QuietHoursForm(props: QuietHoursFormProps): ReactNode {
  const { hours, waiting, error, isBusy, save, retry, dismiss } = useSaving(props);
  const { active, from, until, zone, digest } = hours;
  return (
    <>
      <Toggle
        label="Quiet hours on"
        checked={active}
        disabled={isBusy}
        onChange={(isOn) => void save({ active: isOn })}
      />
      <div className="quiet-hours-times wrap gap-2-3">
        <TimeField label="From" minute={from} onChange={(minute) => void save({ from: minute })} />
        <TimeField label="Until" minute={until} onChange={(minute) => void save({ until: minute })} />
        <NativeSelect
          label="Time zone"
          value={zone}
          options={zonesWith(zone)}
          onChoose={(one) => void save({ zone: one })}
        />
      </div>
      <RadioGroup
        label="Send held messages"
        value={digest}
        options={DIGEST_CHOICES}
        onChoose={(one) => void save({ digest: one })}
      />
      {error !== null && (
        <Banner onDismiss={dismiss} action={<Button onClick={() => void retry()}>Retry</Button>}>
          {error}
        </Banner>
      )}
      <p className="muted" role="status">
        {waiting > 0 &&
          `${waiting === 1 ? '1 message waits' : `${waiting} messages wait`} for the next digest.`}
      </p>
    </>
  );
}
