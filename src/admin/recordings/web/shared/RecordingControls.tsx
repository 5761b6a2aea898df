import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import {
  type RecordingRow,
  recordingsAnswer,
  type RecordingsView,
} from '#admin/recordings/answers/recordings.ts';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { Headed, RecordTable } from '#admin/web/parts/RecordTable.tsx';
import { RestartLine, type Restarting, useRestart } from '#admin/web/parts/ServerReturn.tsx';
import { asAdminAction, saveDownload } from '#admin/web/parts/adminActions.ts';
import { downloadAnswer } from '#lib/contract/requests.ts';
import { humanSize } from '#lib/wording.ts';
import { DASH, formatDate, formatTime } from '#texts/format.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { TextField } from '#ui/Field.tsx';
import { Pill } from '#ui/Pill.tsx';
import { readerOf, request } from '#web/api/client.ts';
import { requireDone } from '#web/api/done.ts';
import { useLoaded, useReloads } from '#web/shared/useLoaded.ts';
import { RefusalBanner, useSending } from '#web/shared/useSending.tsx';

type RecordingPlayerProps = {
  view: RecordingsView;
  playing: Restarting;
  wanted: string | null;
  onAnswered(): void;
};

function RecordingPlayer({ view, playing, wanted, onAnswered }: RecordingPlayerProps): ReactNode {
  const [isEnding, setEnding] = useState(false);
  const { isBusy } = playing;
  const now = view.playing;
  const play = (name: string) => {
    onAnswered();
    const failure = 'The recording could not be played.';
    void playing.ask(
      () => done(request('POST /api/admin/recordings/:name/play', { params: { name } }), failure),
      failure,
    );
  };
  const end = () => {
    setEnding(false);
    const failure = 'The replay could not be ended.';
    void playing.ask(() => done(request('POST /api/admin/recordings/end-replay'), failure), failure);
  };
  return (
    <>
      {now && (
        <div className="row">
          <p role="status">All users see the recording {now.name}.</p>
          <Button variant="primary" disabled={isBusy} onClick={() => setEnding(true)}>
            Back to {now.instead}
          </Button>
        </div>
      )}
      {view.noPlay !== null && <p className="muted">{view.noPlay}</p>}
      <RestartLine restarting={playing} />
      <PlayDialog wanted={wanted} running={view.running} onPlay={play} onCancel={onAnswered} />
      <ConfirmDialog
        open={isEnding}
        title="End the replay?"
        action="End replay"
        variant="primary"
        onConfirm={end}
        onCancel={() => setEnding(false)}
      >
        <p>The server restarts, then all users see {now?.instead ?? 'the market'} again.</p>
      </ConfirmDialog>
    </>
  );
}

type PlayDialogProps = Pick<RecordingPlayerProps, 'wanted'> & {
  running: RecordingsView['running'];
  onPlay(name: string): void;
  onCancel(): void;
};

function PlayDialog({ wanted, running, onPlay, onCancel }: PlayDialogProps) {
  return (
    <ConfirmDialog
      open={wanted !== null}
      title="Play the recording to all users?"
      action="Play"
      variant="primary"
      onConfirm={() => wanted !== null && onPlay(wanted)}
      onCancel={onCancel}
    >
      <p>
        The server restarts, then all users see {wanted} from its start instead of the market, until you end
        it here. After another restart it plays from its start again.
      </p>
      <p>
        Calls, news and market days stay separate. Alerts watch the recording, and their messages say that it
        is a replay. An alert that fires once is then switched off.
      </p>
      {running && <p>The current recording, {running.name}, stops.</p>}
    </ConfirmDialog>
  );
}

/** @throws ApiError if the server refuses, also with a success status */
const done = async (pending: Promise<unknown>, failure: string): Promise<void> =>
  requireDone(await asAdminAction(pending), failure);

function useRecordingAction(reload: () => Promise<void>) {
  const sending = useSending();
  return {
    ...sending,
    run: (action: () => Promise<unknown>, failure: string) =>
      void sending.send(async () => {
        await done(action(), failure);
        await reload();
      }, failure),
  };
}

type RecordingAction = ReturnType<typeof useRecordingAction>;

type RecorderProps = { view: RecordingsView; action: RecordingAction };

function Recorder({ view, action }: RecorderProps) {
  return (
    <>
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
      <RefusalBanner sending={action} />
    </>
  );
}

function Begin({ view, action }: RecorderProps) {
  const [name, setName] = useState(view.suggestion);
  const begin = (event: FormEvent) => {
    event.preventDefault();
    action.run(
      () => request('POST /api/admin/recordings', { body: { name } }),
      'The recording could not be started.',
    );
  };
  return (
    <>
      <p className="muted">
        Records all market data for replay, about 40 MB per day. Recording stops at the end of the session.
        {view.disk.free !== null && ` ${humanSize(view.disk.free)} free on the disk.`}
      </p>
      <form className="row align-end" noValidate onSubmit={begin}>
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
    action.run(() => request('POST /api/admin/recordings/stop'), 'The recording could not be stopped.');
  return (
    <div className="row">
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

const HEADINGS = ['Name', 'Session', 'Recorded', 'Source', 'Size', 'State', 'Actions'];

type RecordingsTableProps = {
  recordings: readonly RecordingRow[];
  played: string | null;
  /** Null if the panel cannot play recordings. */
  onPlay: ((name: string) => void) | null;
  onDownload(name: string): void;
  onDelete(name: string): void;
};

function State({ isCutOff, problem }: RecordingRow) {
  if (problem !== null) return <span className="muted">{problem}</span>;
  if (!isCutOff) return <Pill variant="up">Complete</Pill>;
  return <Pill variant="warn">Incomplete: plays up to the cut</Pill>;
}

function RecordingsTable({ recordings, played, onPlay, onDownload, onDelete }: RecordingsTableProps) {
  return (
    <RecordTable label="Recordings" headings={HEADINGS}>
      {recordings.map((row) => (
        <tr key={row.name}>
          <th scope="row">{row.name}</th>
          <td data-heading="Session" data-taken={row.date ?? undefined}>
            {row.date === null ? DASH : formatDate(row.date)}
          </td>
          <td data-heading="Recorded">
            {row.from === null ? DASH : `${formatTime(row.from)} to ${formatTime(row.until)}`}
          </td>
          <td data-heading="Source">{row.source ?? DASH}</td>
          <td data-heading="Size" data-taken={row.size}>
            {humanSize(row.size)}
          </td>
          <td data-heading="State">
            <State {...row} />
          </td>
          <td className="row-actions">
            {onPlay !== null && row.problem === null && row.name !== played && (
              <Button aria-label={`Play ${row.name}`} onClick={() => onPlay(row.name)}>
                Play
              </Button>
            )}
            <Button aria-label={`Download ${row.name}`} onClick={() => onDownload(row.name)}>
              Download
            </Button>
            <Button aria-label={`Delete ${row.name}`} onClick={() => onDelete(row.name)}>
              Delete
            </Button>
          </td>
        </tr>
      ))}
    </RecordTable>
  );
}

const load = (): Promise<RecordingsView> =>
  request('GET /api/admin/recordings', { read: readerOf(recordingsAnswer) });

const ASK_EVERY_MS = 5000;

/** Moves the focus to the record button if the focused button disappeared. */
function useFocusAfter(section: RefObject<HTMLElement | null>, isBusy: boolean): void {
  const wasBusy = useRef(false);
  useEffect(() => {
    const isOver = wasBusy.current && !isBusy;
    wasBusy.current = isBusy;
    if (!isOver || document.activeElement !== document.body) return;
    section.current?.querySelector<HTMLElement>(':is(.recording-begin, .recording-running) button')?.focus();
  }, [section, isBusy]);
}

/** @param onBack called when the server is back after a replay began or ended */
export function RecordingControls({ onBack }: { onBack?(): Promise<void> }) {
  const loaded = useLoaded(load, 'The recordings could not be loaded.');
  const { data, reload } = loaded;
  const action = useRecordingAction(reload);
  const reloadAll = useCallback(() => {
    void reload();
    void onBack?.();
  }, [reload, onBack]);
  const playing = useRestart(reloadAll);
  const [wanted, want] = useState<string | null>(null);
  const section = useRef<HTMLElement>(null);
  useFocusAfter(section, action.isBusy);
  const [deleting, doom] = useState<string | null>(null);
  useReloads(data?.running != null, reload, ASK_EVERY_MS);
  return (
    <section ref={section} className="stack gap-2" aria-labelledby="recordings-title">
      <Headed level={3} id="recordings-title" title="Recordings">
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
        <DeleteDialog deleting={deleting} action={action} onAnswered={() => doom(null)} />
      </Headed>
    </section>
  );
}

type DeleteDialogProps = {
  deleting: string | null;
  action: RecordingAction;
  onAnswered(): void;
};

function DeleteDialog({ deleting, action, onAnswered }: DeleteDialogProps) {
  const remove = (name: string) => {
    onAnswered();
    action.run(
      () => request('DELETE /api/admin/recordings/:name', { params: { name } }),
      'The recording could not be deleted.',
    );
  };
  return (
    <ConfirmDialog
      open={deleting !== null}
      title="Delete the recording?"
      action="Delete"
      onConfirm={() => deleting !== null && remove(deleting)}
      onCancel={onAnswered}
    >
      <p>{deleting} is deleted permanently.</p>
    </ConfirmDialog>
  );
}

type RecordingsProps = RecorderProps & Pick<ComponentProps<typeof RecordingsTable>, 'onPlay' | 'onDelete'>;

function Recordings({ view, action, onPlay, onDelete }: RecordingsProps) {
  const download = (name: string) =>
    saveDownload(
      request('POST /api/admin/recordings/:name/download', {
        params: { name },
        read: readerOf(downloadAnswer),
      }),
    );
  if (view.recordings.length === 0) {
    return view.running === null && <EmptyState>No recordings yet.</EmptyState>;
  }
  return (
    <RecordingsTable
      recordings={view.recordings}
      played={view.playing?.name ?? null}
      onPlay={onPlay}
      onDelete={onDelete}
      onDownload={(name) => action.run(() => download(name), 'The recording could not be downloaded.')}
    />
  );
}
