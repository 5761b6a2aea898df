import { EmptyState } from '#ui/EmptyState.tsx';
import { Pill } from '#ui/Pill.tsx';
import { SwitchField } from '#ui/Field.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { whenText } from '#admin/web/parts/RecordTable.tsx';
import { type ServerAlert, type ServerAlertsAnswer, wantedAnswer } from '../answers/serverAlerts.ts';
import type { CheckState } from '../rules/healthCheck.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { settingsPath } from '#web/router/routes.ts';
import { request } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { RefusalBanner, useSending } from '#web/shared/useSending.tsx';
import { fetchServerAlerts, SERVER_ALERTS_EVERY_MS } from './shared/WaitingCount.tsx';

export function ServerAlerts() {
  const loaded = useLoaded(fetchServerAlerts, ADMIN_MESSAGES.loadNotices, {
    everyMs: SERVER_ALERTS_EVERY_MS,
  });
  return (
    <LoadedBody loaded={loaded} label="Loading server alerts…">
      {(data) => (
        <>
          <ServerAlertList notices={data.notices} checks={data.checks} />
          <Wanted data={data} onAnswer={loaded.set} />
        </>
      )}
    </LoadedBody>
  );
}

type ServerAlertListProps = Pick<ServerAlertsAnswer, 'notices' | 'checks'>;

const ServerAlertList = ({ notices, checks }: ServerAlertListProps) => (
  <>
    {notices.length === 0 ? (
      <NoServerAlert checks={checks} />
    ) : (
      <ul className="stack gap-4" aria-label="Current problems">
        {notices.map((serverAlert) => (
          <ServerAlertItem key={serverAlert.key} serverAlert={serverAlert} />
        ))}
      </ul>
    )}
    <OpenChecks checks={checks} />
  </>
);

type ChecksProps = { checks: ServerAlertsAnswer['checks'] };

/** Shown without server alerts. "Nothing is wrong" requires a result of every check. */
function NoServerAlert({ checks }: ChecksProps) {
  if (checks.every(({ state }) => state === 'unchecked')) {
    return (
      <EmptyState detail="The first check runs 20 seconds after the server starts.">
        Nothing has been checked yet.
      </EmptyState>
    );
  }
  if (checks.some(({ state }) => state === 'failing')) {
    return <EmptyState>A check is failing.</EmptyState>;
  }
  if (checks.some(({ state }) => state !== 'well')) {
    return <EmptyState>No problems found so far.</EmptyState>;
  }
  const names = checks.map(({ what }) => what).join(', ');
  return <EmptyState detail={`Checked every minute or every day: ${names}.`}>No problems found.</EmptyState>;
}

const OPEN: readonly (readonly [CheckState, string, string])[] = [
  ['failing', 'Failing', ' If it continues, an alert appears here.'],
  ['unchecked', 'Not checked yet', ''],
  ['unknown', 'Unknown', ''],
];

/** Lists checks that fail without a server alert yet, or are unknown. */
function OpenChecks({ checks }: ChecksProps) {
  const lines = OPEN.flatMap(([state, words, end]) => {
    const names = checks.filter((check) => check.state === state).map(({ what }) => what);
    return names.length === 0 ? [] : [`${words}: ${names.join(', ')}.${end}`];
  });
  if (checks.every(({ state }) => state === 'unchecked')) return null;
  return lines.map((line) => (
    <p key={line} className="muted">
      {line}
    </p>
  ));
}

const Time = ({ at }: { at: number }) => <time dateTime={new Date(at).toISOString()}>{whenText(at)}</time>;

function ServerAlertItem({
  serverAlert: { title, detail, remedy, since, wellSince, isUrgent },
}: {
  serverAlert: ServerAlert;
}) {
  return (
    <li className="stack gap-1 break-words">
      <h3>
        {title} {isUrgent && <Pill variant="warn">Urgent</Pill>}
      </h3>
      {detail !== '' && <p>{detail}</p>}
      {remedy !== '' && <p>{remedy}</p>}
      <p className="muted">
        Since <Time at={since} /> Sydney
        {wellSince !== null && (
          <>
            ; working again since <Time at={wellSince} />, not yet confirmed
          </>
        )}
        .
      </p>
    </li>
  );
}

type WantedProps = { data: ServerAlertsAnswer; onAnswer(data: ServerAlertsAnswer): void };

function Wanted({ data, onAnswer }: WantedProps) {
  const { isWanted, isReachable } = data;
  const sending = useSending();
  const save = (body: { isWanted: boolean }) =>
    sending.send(async () => {
      const answer = await request('PUT /api/admin/notices/wanted', { body, read: wantedAnswer.read });
      onAnswer({ ...data, isWanted: answer?.isWanted ?? body.isWanted });
    }, ADMIN_MESSAGES.changeNotices);
  return (
    <div className="stack gap-2">
      <SwitchField
        label="Message me when a problem starts and when it is resolved"
        value={isWanted}
        disabled={sending.isBusy}
        onChange={(value) => void save({ isWanted: value })}
      />
      {isWanted && !isReachable && (
        <p className="muted">
          Messages need a linked chat or a device. Add one in{' '}
          <a href={`#${settingsPath('notifications')}`}>Settings</a>.
        </p>
      )}
      <RefusalBanner sending={sending} />
    </div>
  );
}
