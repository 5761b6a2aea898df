import './RecordingControls.css';
import { type FormEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { formatTime } from '../../../texts/format.ts';
import { humanSize } from '../../../lib/humanSize.ts';
import { api, messageOf, unwrap } from '../../../../web/api/client.ts';
import { requireDone } from '../../../../web/api/done.ts';
import { Banner } from '../../../../web/ui/Banner.tsx';
import { Button } from '../../../../web/ui/Button.tsx';
import { ConfirmDialog } from '../../../../web/ui/ConfirmDialog.tsx';
import { EmptyState } from '../../../../web/ui/EmptyState.tsx';
import { TextField } from '../../../../web/ui/TextField.tsx';
import { asAdminAction } from '../../web/parts/adminActions.ts';
import { LoadedBody } from '../../web/parts/LoadedBody.tsx';
import { useLoaded } from '../../../../web/shared/useLoaded.ts';
import { useReloads } from '../../../../web/shared/useReloads.ts';
import { readDownload } from './readBackups.ts';
import { RecordingPlayer } from './RecordingPlayer.tsx';
import { RecordingsTable } from './RecordingsTable.tsx';
import { readRecordings, type RecordingsView } from './readRecordings.ts';
import { saveFile } from './saveFile.ts';
import { usePlaying } from './usePlaying.ts';

const load = (): Promise<RecordingsView> => unwrap(api.admin.recordings.get(), readRecordings);

/** While one is under way, how often it is asked how far it is. */
const ASK_EVERY_MS = 5000;

/** Does something to the recordings and says why when it can't be done. */
function useRecordingAction(reload: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const run = async (action: () => Promise<unknown>, failure: string) => {
    setBusy(true);
    setRefusal(null);
    try {
      requireDone(await asAdminAction('other', action()), failure);
      await reload();
    } catch (problem) {
      setRefusal(messageOf(problem, failure));
    }
    setBusy(false);
  };
  return { isBusy, refusal, run, dismiss: () => setRefusal(null) };
}

type RecordingAction = ReturnType<typeof useRecordingAction>;

/** Whoever pressed a button that is gone after its action finds the focus on the one that begins or ends a recording. */
function useFocusAfter(section: RefObject<HTMLElement | null>, isBusy: boolean): void {
  const wasBusy = useRef(false);
  useEffect(() => {
    const isOver = wasBusy.current && !isBusy;
    wasBusy.current = isBusy;
    if (!isOver || document.activeElement !== document.body) return;
    section.current?.querySelector<HTMLElement>(':is(.recording-begin, .recording-running) button')?.focus();
  }, [section, isBusy]);
}

/**
 * Recordings of the market: the way to begin and to end one, and those that there are, which can be played.
 * @param onBack called when the server is back after it began or ended a replay
 */
export function RecordingControls({ onBack }: { onBack?(): Promise<void> }) {
  const loaded = useLoaded(load, 'The recordings could not be loaded.');
  const { data, reload } = loaded;
  const action = useRecordingAction(reload);
  const reloadAll = useCallback(() => {
    void reload();
    void onBack?.();
  }, [reload, onBack]);
  const playing = usePlaying(reloadAll);
  const [wanted, want] = useState<string | null>(null);
  const section = useRef<HTMLElement>(null);
  useFocusAfter(section, action.isBusy);
  const [doomed, doom] = useState<string | null>(null);
  useReloads(data?.running != null, reload, ASK_EVERY_MS);
  const download = async (name: string) => {
    saveFile((await unwrap(api.admin.recordings({ name }).download.post(), readDownload)).url);
  };
  const remove = (name: string) => {
    doom(null);
    void action.run(
      () => unwrap(api.admin.recordings({ name }).delete()),
      'The recording could not be deleted.',
    );
  };
  return (
    <section ref={section} className="recording-controls" aria-labelledby="recordings-title">
      <h3 id="recordings-title">Recordings</h3>
      <LoadedBody loaded={loaded} label="Loading recordings…">
        {(view) => (
          <>
            <RecordingPlayer view={view} playing={playing} wanted={wanted} onAnswered={() => want(null)} />
            {view.failure && (
              <Banner variant="warn">
                The recording {view.failure.name} ended early. {view.failure.reason}
              </Banner>
            )}
            {view.running ? (
              <Running running={view.running} action={action} />
            ) : (
              <Begin key={view.suggestion} view={view} action={action} />
            )}
            {action.refusal !== null && <Banner onDismiss={action.dismiss}>{action.refusal}</Banner>}
            {view.recordings.length === 0 ? (
              view.running === null && <EmptyState>No recordings yet.</EmptyState>
            ) : (
              <RecordingsTable
                recordings={view.recordings}
                played={view.playing?.name ?? null}
                onPlay={view.noPlay === null && !playing.isBusy ? want : null}
                onDelete={doom}
                onDownload={(name) =>
                  void action.run(() => download(name), 'The recording could not be downloaded.')
                }
              />
            )}
          </>
        )}
      </LoadedBody>
      <ConfirmDialog
        open={doomed !== null}
        title="Delete the recording?"
        action="Delete"
        onConfirm={() => doomed !== null && remove(doomed)}
        onCancel={() => doom(null)}
      >
        <p>{doomed} is deleted for good.</p>
      </ConfirmDialog>
    </section>
  );
}

function Begin({ view, action }: { view: RecordingsView; action: RecordingAction }) {
  const [name, setName] = useState(view.suggestion);
  const begin = (event: FormEvent) => {
    event.preventDefault();
    void action.run(() => unwrap(api.admin.recordings.post({ name })), 'The recording could not be started.');
  };
  return (
    <>
      <p className="muted">
        Records everything the market receives, to play it again later: about 40 MB a day. It stops at the end
        of the session.{view.free !== null && ` ${humanSize(view.free)} free on the disk.`}
      </p>
      <form className="recording-begin" noValidate onSubmit={begin}>
        <TextField
          label="Name"
          value={name}
          maxLength={60}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={action.isBusy}>
          Record
        </Button>
      </form>
    </>
  );
}

function Running({
  running,
  action,
}: {
  running: NonNullable<RecordingsView['running']>;
  action: RecordingAction;
}) {
  const { name, from, size } = running;
  const stop = () =>
    void action.run(() => unwrap(api.admin.recordings.stop.post()), 'The recording could not be stopped.');
  return (
    <div className="recording-running">
      <p role="status">
        Recording {name}
        {from !== null && ` since ${formatTime(from)} in Sydney`}
        {size > 0 && `, ${humanSize(size)} on the disk`}.
      </p>
      <Button disabled={action.isBusy} onClick={stop}>
        {action.isBusy ? 'Stopping…' : 'Stop recording'}
      </Button>
    </div>
  );
}
