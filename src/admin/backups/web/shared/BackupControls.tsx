import { HOUR_MS } from '#lib/units.ts';
import { serverNow } from '#web/live/market.ts';
import { type ReactNode, useState, type FormEvent, useId, useRef } from 'react';
import {
  type BackupKind,
  KEPT_MANUAL,
  KEPT_NIGHTLY,
  maxBackupAge,
} from '#admin/backups/rules/keptBackups.ts';
import { humanSize } from '#lib/wording.ts';
import { readerOf, request } from '#web/api/client.ts';
import { Banner, FormError } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { useLoaded, useReloads } from '#web/shared/useLoaded.ts';
import { errorOf, otherError, RefusalBanner, useSending } from '#web/shared/useSending.tsx';
import { Headed, FactList, RecordTable, whenText } from '#admin/web/parts/RecordTable.tsx';
import { backupsAnswer, type BackupRow, type BackupsView } from '#admin/backups/answers/backups.ts';
import { asAdminAction, saveDownload } from '#admin/web/parts/adminActions.ts';
import { Pill } from '#ui/Pill.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { TextField } from '#ui/Field.tsx';
import { downloadAnswer } from '#lib/contract/requests.ts';

function useDownload(name: string, onClose: () => void) {
  const box = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const sending = useSending();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const sent = { params: { name }, body: { password }, read: readerOf(downloadAnswer) };
    const isDone = await sending.send(
      () => saveDownload(request('POST /api/admin/backups/:name/download', sent)),
      'The backup could not be downloaded.',
    );
    if (isDone) onClose();
    else box.current?.focus();
  };
  const type = (text: string) => {
    setPassword(text);
    sending.refuse(null);
  };
  return { box, password, type, sending, submit };
}

/** Asks for the password, because a backup contains all users' data and a browser may be left open. */
function DownloadBackupDialog({ name, onClose }: { name: string; onClose(): void }) {
  const formId = useId();
  const { box, password, type, sending, submit } = useDownload(name, onClose);
  return (
    <DialogSheet
      open
      width="narrow"
      title="Download backup"
      description="A backup contains the data of every user. Store it in a safe place."
      initialFocus={box}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} disabled={sending.isBusy}>
            {sending.isBusy ? 'Checking…' : 'Download'}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack gap-2" noValidate onSubmit={(event) => void submit(event)}>
        <p className="muted break-words">{name}</p>
        <TextField
          ref={box}
          label="Your password"
          type="password"
          autoComplete="current-password"
          value={password}
          error={errorOf(sending, 'password')}
          onChange={(event) => type(event.target.value)}
        />
        <FormError>{otherError(sending, ['password'])}</FormError>
      </form>
    </DialogSheet>
  );
}

const KINDS: Readonly<Record<BackupKind, string>> = {
  nightly: 'Nightly',
  manual: 'Manual',
  migration: 'Before an update',
};

const HEADINGS = ['Made', 'Age', 'Kind', 'Size', 'Checked', 'Actions'];

/** Allowed difference between the clocks of browser and server, ms. */
const CLOCK_SPARE_MS = 5 * 60_000;

/** The age of a backup: '5 hours', '3 days'. @param ms negative for a date in the future */
export function ageText(ms: number): string {
  if (ms < -CLOCK_SPARE_MS) return 'in the future';
  const hours = Math.floor(Math.max(0, ms) / HOUR_MS);
  if (hours < 1) return 'less than an hour';
  if (hours < 48) return hours === 1 ? '1 hour' : `${hours} hours`;
  return `${Math.floor(hours / 24)} days`;
}

type BackupsTableProps = {
  backups: readonly BackupRow[];
  onDownload(name: string): void;
};

export function BackupsTable({ backups, onDownload }: BackupsTableProps) {
  const now = serverNow();
  return (
    <RecordTable label="Backups" headings={HEADINGS}>
      {backups.map(({ name, madeAt, kind, size, checked }) => (
        <tr key={name}>
          <th scope="row" title={name} data-time={new Date(madeAt).toISOString()}>
            {whenText(madeAt)}
          </th>
          <td data-heading="Age">{ageText(now - madeAt)}</td>
          <td data-heading="Kind">{KINDS[kind]}</td>
          <td data-heading="Size" data-taken={size}>
            {humanSize(size)}
          </td>
          <td data-heading="Checked">
            {checked ? <Pill variant="up">Checked</Pill> : <span className="muted">Not checked</span>}
          </td>
          <td className="row-actions">
            <Button aria-label={`Download ${name}`} onClick={() => onDownload(name)}>
              Download
            </Button>
          </td>
        </tr>
      ))}
    </RecordTable>
  );
}

const load = (): Promise<BackupsView> => request('GET /api/admin/backups', { read: readerOf(backupsAnswer) });

const ASK_EVERY_MS = 1000;

const when = (time: number): string => `${whenText(time)} Sydney`;

export function BackupControls() {
  const loaded = useLoaded(load, 'The backups could not be loaded.');
  const { data, reload } = loaded;
  const [chosen, choose] = useState<string | null>(null);
  const isMaking = data?.running != null;
  useReloads(isMaking, reload, ASK_EVERY_MS);
  return (
    <section className="stack gap-2" aria-labelledby="backups-title">
      <Headed level={3} id="backups-title" title="Backups">
        <LoadedBody loaded={loaded} label="Loading backups…">
          {(view) => (
            <>
              <Warnings view={view} />
              {view.target && <TargetLine target={view.target} everyDays={view.everyDays} />}
              <MakeBackup view={view} onStarted={reload} />
              {view.backups.length === 0 ? (
                <EmptyState>
                  {view.target?.keptLocally === false ? 'No backups on this machine.' : 'No backups yet.'}
                </EmptyState>
              ) : (
                <BackupsTable backups={view.backups} onDownload={choose} />
              )}
            </>
          )}
        </LoadedBody>
        {chosen !== null && <DownloadBackupDialog name={chosen} onClose={() => choose(null)} />}
      </Headed>
    </section>
  );
}

function TargetLine({
  target: { where, encrypted, keptLocally, kept, last },
  everyDays,
}: {
  target: NonNullable<BackupsView['target']>;
  everyDays: number;
}) {
  const age = last === null || last.sentAt === null ? null : serverNow() - last.sentAt;
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    [keptLocally ? 'Also sent to' : 'Sent to', where],
    ['Encrypted', encrypted ? 'Yes' : 'No'],
    ['Kept at the target', `The newest ${kept}`],
    ['Kept on this machine', keptLocally ? 'Yes' : 'Until sent'],
    [
      'Last sent',
      last === null || last.sentAt === null || age === null ? (
        'None yet'
      ) : (
        <>
          {`${when(last.sentAt)} (${age < -CLOCK_SPARE_MS ? ageText(age) : `${ageText(age)} ago`}), ${humanSize(last.size)}, verified`}
          {age > maxBackupAge(everyDays) && (
            <>
              {' '}
              <Pill variant="warn">Too old</Pill>
            </>
          )}
        </>
      ),
    ],
  ];
  return <FactList facts={facts} />;
}

function Warnings({ view: { disk, failure, target } }: { view: BackupsView }) {
  return (
    <>
      {disk.low && (
        <Banner variant="warn">
          The disk is almost full: {disk.free === null ? 'little' : humanSize(disk.free)} left. Once it is
          full, nothing can be saved. Delete files you don’t need.
        </Banner>
      )}
      {failure && (
        <Banner variant="warn">
          The last backup failed{failure.at === null ? '' : ` on ${when(failure.at)}`}. {failure.reason}
        </Banner>
      )}
      {target?.last?.warning && (
        <Banner variant="warn">The last backup reached the target. {target.last.warning}</Banner>
      )}
    </>
  );
}

function MakeBackup({ view, onStarted }: { view: BackupsView; onStarted(): Promise<void> }) {
  const sending = useSending();
  const { running, disk, nextNightly, everyDays, target } = view;
  const isMaking = running !== null || sending.isBusy;
  const make = () =>
    sending.send(async () => {
      await asAdminAction(request('POST /api/admin/backups'));
      await onStarted();
    }, 'The backup could not be started.');
  return (
    <>
      <p className="muted">
        A backup is made every {everyDays === 1 ? 'night' : `${everyDays} nights`}.{' '}
        {target?.keptLocally === false
          ? 'Backups are stored only at the target. Restore with bellbird restore --from-target, or from the set-up page of a new server.'
          : `The newest ${KEPT_NIGHTLY}, the first of each month for a year, and the newest ${KEPT_MANUAL} manual ones are kept.`}
        {nextNightly !== null && ` Next: ${when(nextNightly)}.`}
        {disk.free !== null && ` ${humanSize(disk.free)} free on the disk.`}
      </p>
      <div className="cluster gap-4">
        <Button disabled={isMaking} onClick={() => void make()}>
          {running?.step === 'sending' ? 'Sending…' : isMaking ? 'Backing up…' : 'Back up now'}
        </Button>
        {running !== null && (
          <progress value={running.progress} max={1} aria-label="Backup">
            {Math.round(running.progress * 100)}%
          </progress>
        )}
      </div>
      <RefusalBanner sending={sending} />
    </>
  );
}
