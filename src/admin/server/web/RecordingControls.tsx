import './RecordingControls.css';
import { type ComponentProps, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { api, unwrap } from '#web/api/client.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { useReloads } from '#web/shared/useReloads.ts';
import { Recorder, type RecorderProps, type RecordingAction, useRecordingAction } from './Recorder.tsx';
import { RecordingPlayer, usePlaying } from './RecordingPlayer.tsx';
import { RecordingsTable } from './RecordingsTable.tsx';
import { recordingsAnswer, type RecordingsView } from '#admin/recordings/answers/recordings.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { saveDownload } from './saveDownload.ts';

const load = (): Promise<RecordingsView> => unwrap(api.admin.recordings.get(), readerOf(recordingsAnswer));

/** While one is under way, how often it is asked how far it is. */
const ASK_EVERY_MS = 5000;

/** Anyone who pressed a button that is gone after its action finds the focus on the one that begins or ends a recording. */
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
  return (
    <section ref={section} className="recording-controls" aria-labelledby="recordings-title">
      <h3 id="recordings-title">Recordings</h3>
      <LoadedBody loaded={loaded} label="Loading recordings…">
        {(view) => (
          <>
            <RecordingPlayer view={view} playing={playing} wanted={wanted} onAnswered={() => want(null)} />
            <Recorder view={view} action={action} />
            <Recordings
              view={view}
              action={action}
              onPlay={view.noPlay === null && !playing.isBusy ? want : null}
              onDelete={doom}
            />
          </>
        )}
      </LoadedBody>
      <DeleteDialog doomed={doomed} action={action} onAnswered={() => doom(null)} />
    </section>
  );
}

type DeleteDialogProps = {
  /** The recording that somebody wants to delete; null when there is none. */
  doomed: string | null;
  action: RecordingAction;
  onAnswered(): void;
};

function DeleteDialog({ doomed, action, onAnswered }: DeleteDialogProps) {
  const remove = (name: string) => {
    onAnswered();
    void action.run(
      () => unwrap(api.admin.recordings({ name }).delete()),
      'The recording could not be deleted.',
    );
  };
  return (
    <ConfirmDialog
      open={doomed !== null}
      title="Delete the recording?"
      action="Delete"
      onConfirm={() => doomed !== null && remove(doomed)}
      onCancel={onAnswered}
    >
      <p>{doomed} is deleted for good.</p>
    </ConfirmDialog>
  );
}

type RecordingsProps = RecorderProps & Pick<ComponentProps<typeof RecordingsTable>, 'onPlay' | 'onDelete'>;

function Recordings({ view, action, onPlay, onDelete }: RecordingsProps) {
  const download = (name: string) => saveDownload(api.admin.recordings({ name }).download.post());
  if (view.recordings.length === 0) {
    return view.running === null && <EmptyState>No recordings yet.</EmptyState>;
  }
  return (
    <RecordingsTable
      recordings={view.recordings}
      played={view.playing?.name ?? null}
      onPlay={onPlay}
      onDelete={onDelete}
      onDownload={(name) => void action.run(() => download(name), 'The recording could not be downloaded.')}
    />
  );
}
