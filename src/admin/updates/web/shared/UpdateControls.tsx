import { useEffect, useRef, useState } from 'react';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { isUnderWay, type UpdateInfo, type Offer } from '#admin/updates/answers/update.ts';
import { ServerReturnLine } from '#admin/web/parts/ServerReturnLine.tsx';
import { UpdateReport } from './UpdateReport.tsx';
import { type UpdateControl, useUpdate } from './useUpdate.ts';
import './UpdateControls.css';
import { formatMoment } from '#texts/moment.ts';

const SHOWN = 20;

/** What an update would bring: commits, or a release's notes. */
function UpdateOffer({ offer }: { offer: Offer }) {
  const { version, commit, commits, count, notes, takenBack } = offer;
  const shown = commits.slice(0, SHOWN);
  const more = Math.max(count, commits.length) - shown.length;
  const title = version ? `Version ${version}` : `Commit ${commit?.slice(0, 12) ?? 'unknown'}`;
  return (
    <section className="update-offer" aria-label="What is new">
      <p>
        <strong>{title}</strong> can be installed
        {count > 0 && `: ${count} new ${count === 1 ? 'commit' : 'commits'}`}.
      </p>
      {takenBack && (
        <Banner variant="warn">
          This version was rolled back
          {takenBack.at !== null && ` on ${formatMoment(takenBack.at)}`}
          {takenBack.reason ? `: ${takenBack.reason}` : '.'} It may fail the same way.
        </Banner>
      )}
      {shown.length > 0 && (
        <ul>
          {shown.map(({ commit: id, subject }) => (
            <li key={id}>
              <code>{id.slice(0, 8)}</code> {subject}
            </li>
          ))}
          {more > 0 && <li className="muted">and {more} more</li>}
        </ul>
      )}
      {notes !== null && <pre className="update-notes">{notes}</pre>}
    </section>
  );
}

/** How the server was installed, in words. */
const KINDS: Record<UpdateInfo['installation'], string> = {
  checkout: 'Installed in a git checkout: a new version is fetched and built on this machine.',
  release: 'Installed from a released file: a new version is fetched and its signature checked.',
  none: '',
};

type UpdateControlsProps = {
  /** Told when another process answers than before. The same function as long as it does the same. */
  onBack(): Promise<void>;
};

/** Update and Restart: what would come, the update's steps as they go, and how the last one ended. */
export function UpdateControls({ onBack }: UpdateControlsProps) {
  const control = useUpdate();
  const { loaded, notice, dismiss, server } = control;
  const { standing } = server;
  const commit = loaded.data?.running.commit ?? null;
  const shownCommit = useRef(commit);
  useEffect(() => {
    // The restart may be too quick to be seen: then the commit tells.
    const isOther = commit !== null && shownCommit.current !== null && commit !== shownCommit.current;
    shownCommit.current = commit ?? shownCommit.current;
    if (standing === 'back' || isOther) void onBack();
  }, [standing, commit, onBack]);
  // That nobody answers is what is waited for then.
  const shown = server.standing === 'waiting' ? { ...loaded, error: null } : loaded;
  return (
    <div className="update-controls">
      <h3>Updates</h3>
      <LoadedBody loaded={shown} label="Loading updates…" rows={2}>
        {(info) => (
          <>
            {info.noUpdate === null && <p className="muted">{KINDS[info.installation]}</p>}
            <UpdateButtons info={info} control={control} />
            {notice !== null && (
              <Banner variant={notice.variant} onDismiss={dismiss}>
                {notice.text}
              </Banner>
            )}
            <ServerReturnLine server={server} />
            {info.offer?.isNew && !isUnderWay(info.update) && <UpdateOffer offer={info.offer} />}
            {info.update !== null && <UpdateReport update={info.update} now={info.now} />}
          </>
        )}
      </LoadedBody>
    </div>
  );
}

function UpdateButtons({ info, control }: { info: UpdateInfo; control: UpdateControl }) {
  const [isAsking, setAsking] = useState(false);
  const { busy, check, update } = control;
  const isBlocked = busy !== null || isUnderWay(info.update);
  const canUpdate = info.noUpdate === null;
  return (
    <>
      <div className="update-buttons">
        {canUpdate && (
          <Button disabled={isBlocked} onClick={() => void check()}>
            {busy === 'checking' ? 'Checking…' : 'Check for updates'}
          </Button>
        )}
        {/* Where this server can't update itself, its refusal says why. */}
        <Button disabled={isBlocked} onClick={() => (canUpdate ? setAsking(true) : void update())}>
          Update and Restart
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        title="Update and restart the server?"
        action="Update and Restart"
        variant="primary"
        onConfirm={() => {
          setAsking(false);
          void update();
        }}
        onCancel={() => setAsking(false)}
      >
        <p>
          The new version is built and checked while this one runs, which may take minutes on a small machine.
          Then the server restarts: live prices and alerts pause for a few seconds. If the new version does
          not run well, this one is put back.
        </p>
      </ConfirmDialog>
    </>
  );
}
