import { useLayoutEffect, useRef, useState } from 'react';
import { shownText, TAIL_LINES } from '../rules/logTail.ts';
import { clampNumeric } from '#lib/numericInput.ts';
import { Button } from '#ui/Button.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import { useDebounced } from '#admin/web/parts/useDebounced.ts';
import './LogView.css';
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
export function LogView({ name, clearings }: LogViewProps) {
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
    <div className="log-view" role="group" aria-label={`End of ${name}`}>
      <div className="log-view-controls">
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
      <pre className="log-lines" role="alert">
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
          className="log-lines"
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
