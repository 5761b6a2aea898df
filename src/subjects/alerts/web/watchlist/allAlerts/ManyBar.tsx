import { type ReactNode, useEffect, useRef } from 'react';
import { alertCount, type BulkAction } from '../../../rules/manyAlerts.ts';
import { Button } from '../../../../../../web/ui/Button.tsx';
import './ManyBar.css';

type ManyBarProps = {
  /** How many rows the search shows, and how many of them are selected. */
  shown: number;
  selected: number;
  running: BulkAction | null;
  onAll(isOn: boolean): void;
  onDo(action: BulkAction): void;
};

const ACTIONS = [
  ['on', 'Switch on'],
  ['off', 'Switch off'],
  ['snooze', 'Snooze 1 h'],
] as const satisfies readonly (readonly [BulkAction, string])[];

/** Selects all alerts that are shown, and does something with those that are selected. */
export function ManyBar({ shown, selected, running, onAll, onDo }: ManyBarProps): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  const isPart = selected > 0 && selected < shown;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPart;
  }, [isPart]);
  const isIdle = selected === 0 || running !== null;
  return (
    <div className="many-bar" role="group" aria-label="Selected alerts">
      <label className="many-all">
        <input
          ref={box}
          type="checkbox"
          checked={shown > 0 && selected === shown}
          disabled={shown === 0}
          onChange={({ target }) => onAll(target.checked)}
        />
        Select all
      </label>
      <span className="many-count muted" role="status">
        {selected > 0 ? `${selected} of ${alertCount(shown)} selected` : alertCount(shown)}
        {running !== null && ' · Working…'}
      </span>
      {ACTIONS.map(([action, label]) => (
        <Button key={action} disabled={isIdle} onClick={() => onDo(action)}>
          {label}
        </Button>
      ))}
      <Button variant="danger" disabled={isIdle} onClick={() => onDo('delete')}>
        Delete…
      </Button>
    </div>
  );
}
