import {
  type Dispatch,
  type RefObject,
  type SetStateAction,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { LoadedBody, SectionTools } from '#admin/web/parts/LoadedBody.tsx';
import { RecordTable } from '#admin/web/parts/RecordTable.tsx';
import { asAdminAction, useDebounced } from '#admin/web/parts/adminActions.ts';
import { clampNumeric } from '#lib/numericInput.ts';
import { readIsoTime } from '#lib/read.ts';
import { humanSize } from '#lib/wording.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { counted, DASH } from '#texts/format.ts';
import { formatAge } from '#texts/moment.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Toggle } from '#ui/Field.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { Pill } from '#ui/Pill.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { messageOf, readerOf, request } from '#web/api/client.ts';
import { serverNow } from '#web/live/market.ts';
import { saveFile } from '#web/shared/copyText.ts';
import { useLoaded, useNewest } from '#web/shared/useLoaded.ts';
import { RefusalBanner, useSending } from '#web/shared/useSending.tsx';
import { LateConfirm } from '#web/shared/lateStyles.ts';
import {
  lastLines,
  type LogFile,
  logsAnswer,
  type LogTail,
  shownText,
  TAIL_LINES,
  tailAnswer,
} from '../answers/logs.ts';

const fetchLogs = async (): Promise<LogFile[]> =>
  (await request('GET /api/admin/logs', { read: readerOf(logsAnswer) })).logs;

const fetchTail = (name: string, lines: number): Promise<LogTail> =>
  request('GET /api/admin/logs/:name/tail', {
    params: { name },
    query: { lines },
    read: readerOf(tailAnswer),
  });

/** Fetches the lines since an earlier answer. @throws ApiError */
const fetchNew = (name: string, place: { file: string; after: number }): Promise<LogTail> =>
  request('GET /api/admin/logs/:name/tail', { params: { name }, query: place, read: readerOf(tailAnswer) });

/** Downloads a log file (specification 7.7). @throws Error always with the specification's message */
async function fetchFile(name: string): Promise<Blob> {
  try {
    return await request('GET /api/admin/logs/:name/download', { params: { name }, isFile: true });
  } catch (cause) {
    throw new Error(ADMIN_MESSAGES.downloadLog, { cause });
  }
}

/** Polling interval of a followed file, ms. */
const FOLLOW_EVERY_MS = 2000;

const LEFT_OUT = 'Some lines are omitted here: too many were written at the same time.\n';
const EMPTIED = 'The file was cleared.\n';

function joined(shown: LogTail, added: LogTail): LogTail {
  const before = added.restarted ? EMPTIED : added.cut ? `${shown.text}${LEFT_OUT}` : shown.text;
  return { ...added, text: lastLines(before + added.text, TAIL_LINES.max), cut: shown.cut };
}

type ShownTail = {
  tail: LogTail | null;
  error: string | null;
  isLoading: boolean;
  reload(): Promise<void>;
};

type State = Omit<ShownTail, 'reload'>;

/** Polls a followed file while the page is visible. @param read adds new lines to those shown */
function useFollowing(
  isFollowed: boolean,
  shown: RefObject<LogTail | null>,
  read: (more: boolean) => Promise<void>,
): void {
  useEffect(() => {
    if (!isFollowed) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const next = (): void => {
      clearTimeout(timer);
      if (!isOver && !document.hidden) timer = setTimeout(ask, FOLLOW_EVERY_MS);
    };
    const ask = (): void => {
      void read(true).finally(next);
    };
    const check = (): void => {
      clearTimeout(timer);
      if (shown.current === null) next();
      else if (!document.hidden) ask();
    };
    document.addEventListener('visibilitychange', check);
    check();
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', check);
    };
  }, [isFollowed, shown, read]);
}

/** @param from the answer to continue; null to read the end of the file */
const readTail = (name: string, lines: number, from: LogTail | null): Promise<LogTail> =>
  from?.file != null && from.end !== null
    ? fetchNew(name, { file: from.file, after: from.end }).then((added) => joined(from, added))
    : fetchTail(name, lines);

/** Reads a file. Drops answers for another file or number of lines, and those that a later request overtook. */
function useReader(
  name: string,
  lines: number,
  shown: RefObject<LogTail | null>,
  setState: Dispatch<SetStateAction<State>>,
) {
  const newest = useRef(0);
  /** @param more adds to the shown lines, otherwise reads again */
  const read = useCallback(
    (more: boolean): Promise<void> => {
      newest.current += 1;
      const own = newest.current;
      const settle = (change: (before: State) => State): void => {
        if (own === newest.current) setState(change);
      };
      return readTail(name, lines, more ? shown.current : null).then(
        (tail) => settle(() => ({ tail, error: null, isLoading: false })),
        (problem: unknown) => {
          const error = messageOf(problem, ADMIN_MESSAGES.readLog);
          settle(({ tail }) => ({ tail, error, isLoading: false }));
        },
      );
    },
    [name, lines, shown, setState],
  );
  useEffect(() => {
    shown.current = null;
    void read(false);
    return () => {
      newest.current += 1;
    };
  }, [read, shown]);
  return read;
}

/** The last lines of a file. With `isFollowed`, adds new lines while the page is visible. */
function useLogTail(name: string, lines: number, isFollowed: boolean): ShownTail {
  const [state, setState] = useState<State>({ tail: null, error: null, isLoading: true });
  const shown = useNewest(state.tail);
  const read = useReader(name, lines, shown, setState);
  useFollowing(isFollowed, shown, read);
  const reload = useCallback((): Promise<void> => {
    setState((before) => ({ ...before, isLoading: true }));
    return read(false);
  }, [read]);
  return { ...state, reload };
}

const LIMITS = { min: TAIL_LINES.min, max: TAIL_LINES.max, step: 1 };
/** Delay after typing, ms, so that typing 5000 reads the file only once. */
const TYPING_MS = 300;
/** If the view is closer to the end than this (px), it follows new lines. */
const AT_END_PX = 24;

type LogViewProps = {
  name: string;
  clearings: number;
};

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
          // While the number is incomplete, the shown lines stay.
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

/** Keeps the last line visible unless the user scrolled up. */
function Lines({ name, tail, error }: ShownTail & { name: string }) {
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [tail]);
  const check = (element: HTMLElement) => {
    isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END_PX;
  };
  if (error !== null) {
    return (
      <pre className="text-box self-stretch" role="alert">
        Error: {error}
      </pre>
    );
  }
  if (tail === null) return <SkeletonRows rows={6} label="Loading log…" />;
  return (
    <>
      {tail.cut && <p className="muted">Too many lines to show: the oldest are omitted.</p>}
      {tail.text === '' ? (
        <p className="muted">The file is empty.</p>
      ) : (
        <pre
          ref={box}
          className="text-box self-stretch"
          role="region"
          aria-label={`Lines of ${name}`}
          tabIndex={0}
          onScroll={(event) => check(event.currentTarget)}
        >
          {shownText(tail.text)}
        </pre>
      )}
    </>
  );
}

/** Downloads and clears files. @param onCleared called with an emptied file */
function useLogActions(onCleared: () => void) {
  const sending = useSending();
  const [asked, ask] = useState<string | null>(null);
  return {
    sending,
    asked,
    /** Asks whether to clear a file; null closes the question. */
    ask,
    download: (name: string) =>
      void sending.send(async () => saveFile(await fetchFile(name), name), ADMIN_MESSAGES.downloadLog),
    clear: (name: string) =>
      void sending
        .send(async () => {
          await asAdminAction(request('DELETE /api/admin/logs/:name', { params: { name } }));
          onCleared();
        }, ADMIN_MESSAGES.clearLog)
        .then(() => ask(null)),
  };
}

type LogListProps = {
  logs: readonly LogFile[];
  shown: string | null;
  /** Epoch ms, to compute ages. */
  now: number;
  isBusy: boolean;
  onShow(name: string): void;
  onDownload(name: string): void;
  onClear(name: string): void;
};

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

export function Logs() {
  const loaded = useLoaded(fetchLogs, ADMIN_MESSAGES.listLogs);
  const [chosen, choose] = useState<string | null>(null);
  const [clearings, setClearings] = useState(0);
  const actions = useLogActions(() => {
    setClearings((count) => count + 1);
    void loaded.reload();
  });
  return (
    <>
      <RefusalBanner sending={actions.sending} />
      <LoadedBody loaded={loaded} label="Loading logs…">
        {(logs) => (
          <Files
            logs={logs}
            chosen={chosen}
            clearings={clearings}
            isBusy={loaded.isLoading || actions.sending.isBusy}
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

function ClearDialog({ asked, ask, clear, sending }: ReturnType<typeof useLogActions>) {
  if (asked === null) return null;
  return (
    <LateConfirm
      open
      title="Clear log"
      action="Clear"
      isBusy={sending.isBusy}
      onConfirm={() => clear(asked)}
      onCancel={() => ask(null)}
    >
      {`Clear all contents of ${asked}?`}
    </LateConfirm>
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

function Files({ logs, chosen, clearings, onRefresh, ...list }: FilesProps) {
  // If no file was chosen, or the chosen one is gone, show the current one.
  const shown = logs.find(({ name }) => name === chosen)?.name ?? logs[0]?.name ?? null;
  // Ages are as of the listing.
  const now = useMemo(() => (logs ? serverNow() : 0), [logs]);
  return (
    <>
      <SectionTools label="Refresh list" isLoading={list.isBusy} onRefresh={onRefresh}>
        <span className="muted">{counted(logs.length, 'file')}</span>
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
