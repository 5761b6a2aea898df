import { type ReactNode, useState } from 'react';
import type { Known } from '#lib/contract/fields.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { ownDevices } from '#subjects/devices/web/shared/devices.ts';
import { MESSAGES } from '#texts/messages.ts';
import { formatDate, formatTime } from '#texts/format.ts';
import { Banner, RetryBanner } from '#ui/Banner.tsx';
import { Toggle } from '#ui/Field.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { TimeField } from '#ui/TimeField.tsx';
import { ifMissing, messageOf, readerOf, request } from '#web/api/client.ts';
import { BRIEF_PATH, settingsPath } from '#web/router/routes.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { briefChoiceAnswer } from '../../answers/brief.ts';

type Choice = Known<typeof briefChoiceAnswer>;
const read = readerOf(briefChoiceAnswer);

/** Fetches the choice; 'none' from a server with only the specified routes. */
const fetchChoice = (): Promise<Choice | 'none'> =>
  request('GET /api/settings/brief', { read }).catch(ifMissing('none' as const));

export function BriefPanel(): ReactNode {
  // A device that is added or removed on the same page changes what is offered.
  const again = ownDevices.value?.devices.length;
  const { data, error, reload, set } = useLoaded(fetchChoice, MESSAGES.settings.loadBrief, { again });
  if (data === 'none') return null;
  return (
    <section className="panel" aria-labelledby="brief-panel">
      <h2 id="brief-panel">Morning brief</h2>
      <p className="muted">
        A message before the open on trading days: other markets, gaps, announcements, halts and your lists.
        The <a href={`#${BRIEF_PATH}`}>page</a> has all of it from 08:45 Sydney time.
      </p>
      {error !== null && <RetryBanner onRetry={reload}>{error}</RetryBanner>}
      {data === null && error === null && <SkeletonRows rows={2} label="Loading…" />}
      {data !== null && <BriefForm shown={data} onSaved={set} />}
    </section>
  );
}

type BriefFormProps = { shown: Choice; onSaved(saved: Choice): void };

function BriefForm({ shown, onSaved }: BriefFormProps): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { active, minute, destinations, next, isHeld } = shown;
  const save = async (change: { active?: boolean; minute?: number }) => {
    setBusy(true);
    setError(null);
    try {
      onSaved(await request('PUT /api/settings/brief', { body: { active, minute, ...change }, read }));
    } catch (problem) {
      setError(messageOf(problem, MESSAGES.settings.save));
    } finally {
      setBusy(false);
    }
  };
  const hasPlace = destinations > 0;
  return (
    <>
      {!hasPlace && (
        <p>
          No chat or device receives messages yet. Add a device above, or{' '}
          <a href={`#${settingsPath('linked-accounts')}`}>link a chat</a>.
        </p>
      )}
      {(hasPlace || active) && (
        <div className="row gap-3">
          <Toggle
            label="Send the morning brief"
            checked={active}
            disabled={isBusy}
            onChange={(isOn) => void save({ active: isOn })}
          />
          <TimeField
            label="Sydney time"
            minute={minute}
            disabled={isBusy}
            onChange={(chosen) => void save({ minute: chosen })}
          />
        </div>
      )}
      {error !== null && <Banner onDismiss={() => setError(null)}>{error}</Banner>}
      <p className="muted" role="status">
        {hasPlace && next !== null && nextText(next, isHeld)}
      </p>
    </>
  );
}

function nextText(next: number, isHeld: boolean): string {
  const moment = `Next: ${formatDate(sydneyDate(next))}, ${formatTime(next)} Sydney time.`;
  return isHeld ? `${moment} Your quiet hours hold it, so it comes with their digest.` : moment;
}
