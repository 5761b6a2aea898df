import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { LoadedBody, SectionTools } from '#admin/web/parts/LoadedBody.tsx';
import { RecordTable } from '#admin/web/parts/RecordTable.tsx';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { DASH, formatClock, formatNumber } from '#texts/format.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { readerOf, request } from '#web/api/client.ts';
import { copyText } from '#web/shared/copyText.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';
import {
  type Figure,
  type Figures,
  sectionsAnswer,
  snapshotAnswer,
  type StateSection,
  type StateSections,
  type StateSnapshot,
} from '../answers/state.ts';

/** Numbers in this range are shown as times: 2001 to 2096 in epoch ms. */
const FIRST_MOMENT = 1e12;
const LAST_MOMENT = 4e12;

/** Spaces out a name: 'measuredLagMs' becomes 'measured lag ms'. */
const nameText = (name: string): string =>
  name.replaceAll(
    /([a-z\d])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  );

function valueText(value: Figure): string {
  if (value === null || value === '') return DASH;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (value > FIRST_MOMENT && value < LAST_MOMENT) return `${sydneyDate(value)} ${formatClock(value)}`;
  return formatNumber(value, Number.isInteger(value) ? 0 : 1);
}

const shownFigures = (stats: Figures): { name: string; value: string }[] =>
  Object.entries(stats).map(([name, value]) => ({ name: nameText(name), value: valueText(value) }));

function StateFigures({ stats }: { stats: Figures }) {
  const figures = shownFigures(stats);
  if (figures.length === 0) return <span className="muted">{DASH}</span>;
  return (
    <ul className="wrap gap-0-3 break-words">
      {figures.map(({ name, value }) => (
        <li key={name}>
          {name !== '' && <span className="muted">{name} </span>}
          {value}
        </li>
      ))}
    </ul>
  );
}

const fetchSummary = (): Promise<StateSections> =>
  request('GET /api/admin/internal-state', { read: readerOf(sectionsAnswer) });

const fetchSnapshot = (key: string): Promise<StateSnapshot> =>
  request('GET /api/admin/internal-state/:key', { params: { key }, read: readerOf(snapshotAnswer) });

/** Snapshots by part, until reloaded. */
type SnapshotCache = Map<string, StateSnapshot>;

const useSnapshotCache = (): SnapshotCache => useState(() => new Map<string, StateSnapshot>())[0];

/** Loads a snapshot, from the cache if possible; `reload` clears it from the cache first. */
function useSnapshot(key: string, cache: SnapshotCache): Loaded<StateSnapshot> {
  const load = useCallback(async () => {
    const known = cache.get(key);
    if (known) return known;
    const loaded = await fetchSnapshot(key);
    cache.set(key, loaded);
    return loaded;
  }, [key, cache]);
  const loaded = useLoaded(load, () => ADMIN_MESSAGES.loadSnapshot);
  const { reload } = loaded;
  const refresh = useCallback(() => {
    cache.delete(key);
    return reload();
  }, [key, cache, reload]);
  return { ...loaded, reload: refresh };
}

const COPIED_MS = 2000;

/** Copies a text and shows the result for two seconds. @param near the element that contains the text */
function useCopy(near: RefObject<HTMLElement | null>) {
  const [message, setMessage] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = useCallback(
    async (text: string | null) => {
      const { copied, copyFailed, nothingToCopy } = ADMIN_MESSAGES;
      setMessage(text === null ? nothingToCopy : (await copyText(text, near.current)) ? copied : copyFailed);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setMessage(''), COPIED_MS);
    },
    [near],
  );
  return { message, copy };
}

type StateDialogProps = { section: StateSection; cache: SnapshotCache; onClose(): void };

function jsonOf(snapshot: StateSnapshot | null): string | null {
  const data = snapshot?.data ?? null;
  return data === null ? null : JSON.stringify(data, null, 2);
}

function StateDialog({ section, cache, onClose }: StateDialogProps) {
  const loaded = useSnapshot(section.key, cache);
  const { data, isLoading, reload } = loaded;
  const json = useMemo(() => jsonOf(data), [data]);
  const content = useRef<HTMLDivElement>(null);
  const { message, copy } = useCopy(content);
  const footer = (
    <>
      <span className="push-start self-center muted" role="status">
        {message}
      </span>
      <Button disabled={isLoading} onClick={() => void reload()}>
        Refresh
      </Button>
      <Button onClick={() => void copy(json)}>Copy JSON</Button>
      <Button variant="primary" onClick={onClose}>
        Close
      </Button>
    </>
  );
  return (
    <DialogSheet
      open
      title={section.label}
      width="wide"
      place="top"
      closeLabel="Dismiss"
      initialFocus={content}
      onClose={onClose}
      footer={footer}
    >
      <div className="stack min-w-0" ref={content} tabIndex={-1} aria-busy={isLoading}>
        <LoadedBody loaded={loaded} label={`Loading ${section.label}…`} rows={6}>
          {(snapshot) => <Details snapshot={snapshot} json={json} />}
        </LoadedBody>
      </div>
    </DialogSheet>
  );
}

function Details({ snapshot, json }: { snapshot: StateSnapshot; json: string | null }) {
  const { type, description, approxHumanSize, fetchedAt, summary } = snapshot;
  return (
    <>
      {description !== '' && <p className="muted">{description}</p>}
      <dl className="facts">
        <dt>Type</dt>
        <dd>{type || DASH}</dd>
        <dt>Approximate size</dt>
        <dd>{approxHumanSize || DASH}</dd>
        <dt>Fetched</dt>
        <dd>{formatClock(fetchedAt)}</dd>
        <dt>Stats</dt>
        <dd>
          <StateFigures stats={summary} />
        </dd>
      </dl>
      {json === null ? (
        <p className="muted">Nothing to show here.</p>
      ) : (
        <pre className="text-box state-dialog-json" tabIndex={0} role="region" aria-label="JSON">
          {json}
        </pre>
      )}
    </>
  );
}

type StateTableProps = { sections: readonly StateSection[]; onInspect(section: StateSection): void };

const HEADINGS = ['Name', 'Type', 'Stats', 'Inspect'];

const StateTable = ({ sections, onInspect }: StateTableProps) => (
  <RecordTable label="Parts of the server" headings={HEADINGS}>
    {sections.map((section) => (
      <tr key={section.key}>
        <th scope="row" className="setting-name" title={section.description}>
          {section.label}
        </th>
        <td className="nowrap" data-heading="Type">
          {section.type}
        </td>
        <td data-heading="Stats">
          {section.error === null ? (
            <StateFigures stats={section.stats} />
          ) : (
            <span className="warn-text">{section.error}</span>
          )}
        </td>
        <td className="row-actions">
          <Button aria-label={`Inspect ${section.label}`} onClick={() => onInspect(section)}>
            Inspect
          </Button>
        </td>
      </tr>
    ))}
  </RecordTable>
);

export function StateInspector() {
  const loaded = useLoaded(fetchSummary, () => ADMIN_MESSAGES.loadInternalState);
  const { data, isLoading, reload } = loaded;
  const cache = useSnapshotCache();
  const [inspected, setInspected] = useState<StateSection | null>(null);
  const refresh = () => {
    cache.clear();
    void reload();
  };
  return (
    <>
      <SectionTools isLoading={isLoading} onRefresh={refresh}>
        <span className="muted">{data && `Fetched ${formatClock(data.fetchedAt)}`}</span>
      </SectionTools>
      <LoadedBody loaded={loaded} label="Loading the server state…" rows={8}>
        {({ sections }) =>
          sections.length === 0 ? (
            <EmptyState>No server state to show.</EmptyState>
          ) : (
            <StateTable sections={sections} onInspect={setInspected} />
          )
        }
      </LoadedBody>
      {inspected !== null && (
        <StateDialog
          key={inspected.key}
          section={inspected}
          cache={cache}
          onClose={() => setInspected(null)}
        />
      )}
    </>
  );
}
