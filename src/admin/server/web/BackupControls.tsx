import './BackupControls.css';
import { useState } from 'react';
import { KEPT_MANUAL, KEPT_NIGHTLY } from '../../backups/rules/keptBackups.ts';
import { humanSize } from '../../../lib/humanSize.ts';
import { api, messageOf, unwrap } from '../../../../web/api/client.ts';
import { Banner } from '../../../../web/ui/Banner.tsx';
import { Button } from '../../../../web/ui/Button.tsx';
import { EmptyState } from '../../../../web/ui/EmptyState.tsx';
import { LoadedBody } from '../../web/parts/LoadedBody.tsx';
import { useLoaded } from '../../../../web/shared/useLoaded.ts';
import { useReloads } from '../../../../web/shared/useReloads.ts';
import { whenText } from '../../web/parts/whenText.ts';
import { BackupsTable } from './BackupsTable.tsx';
import { DownloadBackupDialog } from './DownloadBackupDialog.tsx';
import { type BackupsView, readBackups } from './readBackups.ts';
import { asAdminAction } from '../../web/parts/adminActions.ts';

const load = (): Promise<BackupsView> => unwrap(api.admin.backups.get(), readBackups);

/** While one is being made, how often it is asked how far it is. */
const ASK_EVERY_MS = 1000;

const when = (time: number): string => `${whenText(time)} Sydney`;

/** The copies of the database: which there are, the way to make one now and to download one. */
export function BackupControls() {
  const loaded = useLoaded(load, 'The backups could not be loaded.');
  const { data, reload } = loaded;
  const [chosen, choose] = useState<string | null>(null);
  const isMaking = data?.progress != null;
  useReloads(isMaking, reload, ASK_EVERY_MS);
  return (
    <section className="backup-controls" aria-labelledby="backups-title">
      <h3 id="backups-title">Backups</h3>
      <LoadedBody loaded={loaded} label="Loading backups…">
        {(view) => (
          <>
            <Warnings view={view} />
            <MakeBackup view={view} onStarted={reload} />
            {view.backups.length === 0 ? (
              <EmptyState>No backups yet.</EmptyState>
            ) : (
              <BackupsTable backups={view.backups} onDownload={choose} />
            )}
          </>
        )}
      </LoadedBody>
      {chosen !== null && <DownloadBackupDialog name={chosen} onClose={() => choose(null)} />}
    </section>
  );
}

function Warnings({ view: { isDiskLow, free, failure } }: { view: BackupsView }) {
  return (
    <>
      {isDiskLow && (
        <Banner variant="warn">
          The disk is almost full: {free === null ? 'little' : humanSize(free)} left. Once it is full, nothing
          can be saved. Delete what you don’t need.
        </Banner>
      )}
      {failure && (
        <Banner variant="warn">
          The last backup failed{failure.at === null ? '' : ` on ${when(failure.at)}`}. {failure.reason}
        </Banner>
      )}
    </>
  );
}

function MakeBackup({ view, onStarted }: { view: BackupsView; onStarted(): Promise<void> }) {
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { progress, free, nextNightly } = view;
  const isMaking = progress !== null;
  const make = async () => {
    setSending(true);
    setRefusal(null);
    try {
      await asAdminAction('other', unwrap(api.admin.backups.post()));
      await onStarted();
    } catch (problem) {
      setRefusal(messageOf(problem, 'The backup could not be started.'));
    }
    setSending(false);
  };
  return (
    <>
      <p className="muted">
        Made every night. The newest {KEPT_NIGHTLY}, the first of each month for a year, and the newest{' '}
        {KEPT_MANUAL} made by hand are kept.
        {nextNightly !== null && ` Next one ${when(nextNightly)}.`}
        {free !== null && ` ${humanSize(free)} free on the disk.`}
      </p>
      <div className="backup-now">
        <Button disabled={isMaking || isSending} onClick={() => void make()}>
          {isMaking || isSending ? 'Backing up…' : 'Back up now'}
        </Button>
        {isMaking && (
          <progress value={progress} max={1} aria-label="Backup">
            {Math.round(progress * 100)} %
          </progress>
        )}
      </div>
      {refusal !== null && <Banner onDismiss={() => setRefusal(null)}>{refusal}</Banner>}
    </>
  );
}
