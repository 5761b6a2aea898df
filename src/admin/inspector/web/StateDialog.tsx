import { useMemo, useRef } from 'react';
import { DASH, formatClock } from '../../../texts/format.ts';
import { Button } from '../../../../web/ui/Button.tsx';
import { DialogSheet } from '../../../../web/ui/DialogSheet.tsx';
import { LoadedBody } from '../../web/parts/LoadedBody.tsx';
import type { StateSection, StateSnapshot } from './readState.ts';
import { StateFigures } from './StateFigures.tsx';
import './StateDialog.css';
import { useCopy } from './useCopy.ts';
import { type SnapshotCache, useSnapshot } from './useSnapshot.ts';

type StateDialogProps = { section: StateSection; cache: SnapshotCache; onClose(): void };

/** What is copied, and shown; null when there is nothing. */
function jsonOf(snapshot: StateSnapshot | null): string | null {
  const data = snapshot?.data ?? null;
  return data === null ? null : JSON.stringify(data, null, 2);
}

/** What one part of the server holds. */
export function StateDialog({ section, cache, onClose }: StateDialogProps) {
  const loaded = useSnapshot(section.key, cache);
  const { data, isLoading, reload } = loaded;
  const json = useMemo(() => jsonOf(data), [data]);
  const content = useRef<HTMLDivElement>(null);
  const { said, copy } = useCopy(content);
  const footer = (
    <>
      <span className="state-dialog-said" role="status">
        {said}
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
      <div className="state-dialog" ref={content} tabIndex={-1} aria-busy={isLoading}>
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
      <dl className="state-dialog-facts">
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
        <pre className="state-dialog-json" tabIndex={0} role="region" aria-label="JSON">
          {json}
        </pre>
      )}
    </>
  );
}
