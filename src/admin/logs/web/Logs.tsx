import { serverNow } from '#web/live/market.ts';
import { lazy, Suspense, useMemo, useState, useLayoutEffect, useRef } from 'react';
import { formatNumber, DASH } from '#texts/format.ts';
import { readIsoTime } from '#lib/read.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { Banner } from '#ui/Banner.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { SectionTools } from '#admin/web/parts/SectionTools.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { fetchLogs, clearLog, fetchFile } from './api.ts';
import { type LogFile, shownText, TAIL_LINES } from '../answers/logs.ts';
import { formatAge } from '#texts/moment.ts';
import { humanSize } from '#lib/text.ts';
import { Button } from '#ui/Button.tsx';
import { Pill } from '#ui/Pill.tsx';
import { RecordTable } from '#admin/web/parts/RecordTable.tsx';
import { messageOf } from '#web/api/client.ts';
import { saveFile } from '#web/shared/saveFile.ts';
import { clampNumeric } from '#lib/numericInput.ts';
import { NumberField } from '#ui/NumberField.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import { useDebounced } from '#admin/web/parts/useDebounced.ts';
import { type ShownTail, useLogTail } from './useLogTail.ts';

const LIMITS = { min: TAIL_LINES.min, max: TAIL_LINES.max, step: 1 };
/** So that typing 5000 reads the file once. */
const TYPING_MS = 300;
/** Nearer to its end than this, the view stays at the end when lines come, px. */
const AT_END_PX = 24;

type LogViewProps = {
  name: string;
  /** Another number when the file was cleared here. */
  clearings: number;
};

/** The end of one file. */
function LogView({ name, clearings }: LogViewProps) {
  const [typed, setTyped] = useState<number | null>(TAIL_LINES.default);
  const [isFollowed, follow] = useState(false);
  const lines = useDebounced(clampNumeric(Math.round(typed ?? TAIL_LINES.default), LIMITS), TYPING_MS);
  const tail = useLogTail(name, lines, isFollowed);
  const { reload, isLoading } = tail;
  const cleared = useRef(clearings);
  useLayoutEffect(() => {
    if (cleared.current === clearings) return;
    cleared.current = clearings;
    void reload();
  }, [clearings, reload]);
  return (
    <div
      className="log-view stack gap-2 align-start self-stretch min-w-0"
      role="group"
      aria-label={`End of ${name}`}
    >
      <div className="row gap-3">
        <h3>{name}</h3>
        <NumberField
          label="Lines"
          value={typed}
          limits={LIMITS}
          // The lines that are shown stay while no other number can be read.
          onNumber={(count) => !Number.isNaN(count) && setTyped(count)}
        />
        <Toggle label="Follow" checked={isFollowed} onChange={follow} />
        <Button aria-disabled={isLoading} onClick={() => void reload()}>
          Refresh
        </Button>
      </div>
      <Lines name={name} {...tail} />
    </div>
  );
}

/** The lines as text, the last one in sight unless somebody scrolled up. */
function Lines({ name, tail, error }: ShownTail & { name: string }) {
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [tail]);
  const look = (element: HTMLElement) => {
    isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END_PX;
  };
  if (error !== null) {
    return (
      <pre className="text-box self-stretch" role="alert">
        Error: {error}
      </pre>
    );
  }
  if (tail === null) return <SkeletonRows rows={6} label="Loading the log…" />;
  return (
    <>
      {tail.cut && <p className="muted">Too many lines to show: the first are left out.</p>}
      {tail.text === '' ? (
        <p className="muted">The file is empty.</p>
      ) : (
        <pre
          ref={box}
          className="text-box self-stretch"
          role="region"
          aria-label={`Lines of ${name}`}
          tabIndex={0}
          onScroll={(event) => look(event.currentTarget)}
        >
          {shownText(tail.text)}
        </pre>
      )}
    </>
  );
}

/** Saving and clearing files, and why the last of it failed. @param onCleared a file is empty now */
function useLogActions(onCleared: () => void) {
  const [failure, setFailure] = useState<string | null>(null);
  const [asked, ask] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const run = async (work: () => Promise<void>, fallback: string): Promise<void> => {
    if (isBusy) return;
    setFailure(null);
    setBusy(true);
    try {
      await work();
    } catch (problem) {
      setFailure(messageOf(problem, fallback));
    }
    setBusy(false);
  };
  return {
    failure,
    dismissFailure: () => setFailure(null),
    isBusy,
    /** The file that is to be cleared, once the question is answered; null while none is. */
    asked,
    /** Asks whether to clear a file; null takes it back. */
    ask,
    download: (name: string) =>
      void run(async () => saveFile(await fetchFile(name), name), ADMIN_MESSAGES.downloadLog),
    clear: (name: string) =>
      void run(async () => {
        await clearLog(name);
        onCleared();
      }, ADMIN_MESSAGES.clearLog).then(() => ask(null)),
  };
}

type LogListProps = {
  logs: readonly LogFile[];
  /** Whose end is shown below. */
  shown: string | null;
  /** Epoch ms, to tell the ages by. */
  now: number;
  isBusy: boolean;
  onShow(name: string): void;
  onDownload(name: string): void;
  onClear(name: string): void;
};

/** The files with their size and age, and what can be done with each. */
function LogList({ logs, shown, now, isBusy, onShow, onDownload, onClear }: LogListProps) {
  return (
    <RecordTable label="Log files" headings={['File', 'Size', 'Changed', 'Actions']} isBusy={isBusy}>
      {logs.map(({ name, size, mtimeMs, current }) => (
        <tr key={name}>
          <th scope="row">
            {name} {current && <Pill>In use</Pill>}
          </th>
          <td data-heading="Size" data-taken={size ?? undefined}>
            {size === null ? DASH : humanSize(size)}
          </td>
          <td data-heading="Changed" data-time={readIsoTime(mtimeMs) ?? undefined}>
            {mtimeMs === null ? DASH : formatAge(now - mtimeMs)}
          </td>
          <td className="row-actions">
            <Button aria-label={`View ${name}`} aria-pressed={name === shown} onClick={() => onShow(name)}>
              View
            </Button>
            <Button aria-label={`Download ${name}`} onClick={() => onDownload(name)}>
              Download
            </Button>
            <Button variant="danger" aria-label={`Clear ${name}`} onClick={() => onClear(name)}>
              Clear
            </Button>
          </td>
        </tr>
      ))}
    </RecordTable>
  );
}

const ConfirmDialog = lazy(async () => ({
  default: (await import('#ui/ConfirmDialog.tsx')).ConfirmDialog,
}));

/** The files of the logs folder: to be read, followed, saved and cleared. */
export function Logs() {
  const loaded = useLoaded(fetchLogs, ADMIN_MESSAGES.listLogs);
  const [chosen, choose] = useState<string | null>(null);
  const [clearings, setClearings] = useState(0);
  const actions = useLogActions(() => {
    setClearings((count) => count + 1);
    void loaded.reload();
  });
  const { failure } = actions;
  return (
    <>
      {failure !== null && <Banner onDismiss={actions.dismissFailure}>{failure}</Banner>}
      <LoadedBody loaded={loaded} label="Loading logs…">
        {(logs) => (
          <Files
            logs={logs}
            chosen={chosen}
            clearings={clearings}
            isBusy={loaded.isLoading || actions.isBusy}
            onShow={choose}
            onDownload={actions.download}
            onClear={actions.ask}
            onRefresh={() => void loaded.reload()}
          />
        )}
      </LoadedBody>
      <ClearDialog {...actions} />
    </>
  );
}

function ClearDialog({ asked, ask, clear, isBusy }: ReturnType<typeof useLogActions>) {
  if (asked === null) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmDialog
        open
        title="Clear log"
        action="Clear"
        isBusy={isBusy}
        onConfirm={() => clear(asked)}
        onCancel={() => ask(null)}
      >
        {`Clear all contents of ${asked}?`}
      </ConfirmDialog>
    </Suspense>
  );
}

type FilesProps = {
  logs: readonly LogFile[];
  chosen: string | null;
  clearings: number;
  isBusy: boolean;
  onShow(name: string): void;
  onDownload(name: string): void;
  onClear(name: string): void;
  onRefresh(): void;
};

const filesText = (count: number): string => `${formatNumber(count, 0)} ${count === 1 ? 'file' : 'files'}`;

function Files({ logs, chosen, clearings, onRefresh, ...list }: FilesProps) {
  // A file that has gone, or none that was chosen: the one that is written.
  const shown = logs.find(({ name }) => name === chosen)?.name ?? logs[0]?.name ?? null;
  // As old as they were when they were listed.
  const now = useMemo(() => (logs ? serverNow() : 0), [logs]);
  return (
    <>
      <SectionTools label="Refresh list" isLoading={list.isBusy} onRefresh={onRefresh}>
        <span className="muted">{filesText(logs.length)}</span>
      </SectionTools>
      {logs.length === 0 ? (
        <EmptyState>There are no log files.</EmptyState>
      ) : (
        <LogList logs={logs} shown={shown} now={now} {...list} />
      )}
      {shown !== null && <LogView key={shown} name={shown} clearings={clearings} />}
    </>
  );
}
