import { type ReactNode, useEffect, useRef, useCallback, useState } from 'react';
import { alertCount, type BulkAction, namedFew } from '#subjects/alerts/rules/manyAlerts.ts';
import { Button } from '#ui/Button.tsx';
import { MESSAGES } from '#texts/messages.ts';
import { messageOf } from '#web/api/client.ts';
import { Banner } from '#ui/Banner.tsx';
import { postUndo } from '../api.ts';
import { useSecondsLeft } from '../parts/Arming.tsx';
import type { SavedAlert } from '../savedAlert.ts';
import { type AlertRow, calledOf, raisedCooldown } from './alertRows.ts';

const armsOf = ({ of }: AlertRow): number | null => (of.kind === 'alert' ? (of.alert.armsAt ?? null) : null);

/** Why nothing was taken back of an alert; null when it was. */
async function undo(alert: SavedAlert): Promise<string | null> {
  try {
    return (await postUndo(alert)).refusal;
  } catch (problem) {
    return messageOf(problem, MESSAGES.watchlist.saveAlert);
  }
}

type ArmingManyProps = { rows: readonly AlertRow[]; load(): Promise<void> };

/** That alerts were already true as they were switched on, with the time in which that can be taken back. */
export function ArmingMany({ rows, load }: ArmingManyProps): ReactNode {
  const [refusal, setRefusal] = useState<string | null>(null);
  const arming = rows.filter((row) => armsOf(row) !== null);
  const last = Math.max(...arming.map((row) => armsOf(row) ?? 0));
  const seconds = useSecondsLeft(arming.length === 0 ? null : last);
  const undoAll = async () => {
    const refusals = await Promise.all(
      arming.map(async (row) => {
        const reason = row.of.kind === 'alert' ? await undo(row.of.alert) : null;
        return reason && `${calledOf(row)}: ${reason}`;
      }),
    );
    setRefusal(refusals.filter((reason) => reason !== null).join(' ') || null);
    await load();
  };
  return (
    <>
      {refusal !== null && <Banner onDismiss={() => setRefusal(null)}>{refusal}</Banner>}
      {seconds > 0 && (
        <div className="alert-arming marked tone-warn row">
          <p>
            <span className="visually-hidden" role="status">
              {namedFew(arming.map(calledOf))}: already true, to fire in five seconds unless you undo.
            </span>
            <span aria-hidden="true">
              {namedFew(arming.map(calledOf))}: already true, to fire in {seconds} s
            </span>
          </p>
          <Button onClick={() => void undoAll()}>Undo</Button>
        </div>
      )}
    </>
  );
}

const NONE: ReadonlySet<string> = new Set();

/** The ids from one to another, whichever stands first; the other alone where the first is not among them. */
export function idsBetween(ids: readonly string[], from: string | null, to: string): string[] {
  const [start, end] = [from === null ? -1 : ids.indexOf(from), ids.indexOf(to)];
  if (start < 0 || end < 0) return [to];
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/**
 * Which rows are selected. A range goes from the row that was selected, or taken out, last.
 * @param shownIds in the order in which the table shows them now
 */
export function useSelection(shownIds: () => readonly string[]) {
  const [selected, setSelected] = useState(NONE);
  const last = useRef<string | null>(null);
  const order = useRef(shownIds);
  order.current = shownIds;
  const toggle = useCallback((id: string, isRange: boolean): void => {
    const from = last.current;
    const touched = isRange ? idsBetween(order.current(), from, id) : [id];
    last.current = id;
    setSelected((before) => {
      const isOn = isRange ? from === null || before.has(from) : !before.has(id);
      const others = [...before].filter((other) => !touched.includes(other));
      return new Set(isOn ? [...others, ...touched] : others);
    });
  }, []);
  const choose = useCallback((ids: readonly string[]): void => {
    last.current = null;
    setSelected(new Set(ids));
  }, []);
  return { selected, toggle, choose };
}

type ManyBarProps = {
  /** How many rows are shown, and those of them that are selected. */
  shown: number;
  selected: readonly AlertRow[];
  /** Alerts that need attention are shown, with what settles that. */
  needsAttention: boolean;
  running: BulkAction | null;
  onAll(isOn: boolean): void;
  onDo(action: BulkAction, rows: readonly AlertRow[]): void;
};

const ACTIONS = [
  ['on', 'Switch on'],
  ['off', 'Switch off'],
  ['snooze', 'Snooze 1 h'],
  ['group', 'Group…'],
] as const satisfies readonly (readonly [BulkAction, string])[];

/** 'Cooldown 30 min'; without the minutes if they differ. */
function raiseLabel(rows: readonly AlertRow[]): string {
  const [minutes, ...others] = new Set(rows.map(raisedCooldown));
  return minutes && others.length === 0 ? `Cooldown ${minutes} min` : 'Raise cooldown';
}

/** What is done with the selected rows, and with which of them. */
function actionsOf(selected: readonly AlertRow[], needsAttention: boolean) {
  if (!needsAttention) return ACTIONS.map(([action, label]) => ({ action, label, rows: selected }));
  const noisy = selected.filter((row) => raisedCooldown(row) !== null);
  const duplicates = selected.filter(({ original }) => original !== null);
  return [
    { action: 'off', label: 'Switch off', rows: selected },
    { action: 'raise', label: raiseLabel(noisy), rows: noisy },
    { action: 'merge', label: 'Merge…', rows: duplicates },
    { action: 'dismiss', label: 'Dismiss', rows: selected },
  ] as const;
}

/** Selects all alerts that are shown, and does something with those that are selected. */
export function ManyBar(props: ManyBarProps): ReactNode {
  const { shown, selected, needsAttention, running, onAll, onDo } = props;
  const box = useRef<HTMLInputElement>(null);
  const count = selected.length;
  const isPart = count > 0 && count < shown;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPart;
  }, [isPart]);
  return (
    <div className="many-bar row phone-fill" role="group" aria-label="Selected alerts">
      <label className="check">
        <input
          ref={box}
          type="checkbox"
          checked={shown > 0 && count === shown}
          disabled={shown === 0}
          onChange={({ target }) => onAll(target.checked)}
        />
        Select all
      </label>
      <span className="many-count muted small" role="status">
        {count > 0 ? `${count} of ${alertCount(shown)} selected` : alertCount(shown)}
        {running !== null && ' · Working…'}
      </span>
      {actionsOf(selected, needsAttention).map(({ action, label, rows }) => (
        <Button
          key={action}
          disabled={rows.length === 0 || running !== null}
          onClick={() => onDo(action, rows)}
        >
          {label}
        </Button>
      ))}
      <Button
        variant="danger"
        disabled={count === 0 || running !== null}
        onClick={() => onDo('delete', selected)}
      >
        Delete…
      </Button>
    </div>
  );
}
