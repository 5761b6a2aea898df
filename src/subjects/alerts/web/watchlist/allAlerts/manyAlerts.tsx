import { type ReactNode, useEffect, useRef, useCallback, useState } from 'react';
import {
  alertCount,
  type BulkAction,
  namedFew,
  type FailedAlert,
  outcomeText,
} from '#subjects/alerts/rules/manyAlerts.ts';
import { Button } from '#ui/Button.tsx';
import { MESSAGES } from '#texts/messages.ts';
import { ApiError, messageOf, request } from '#web/api/client.ts';
import { Banner } from '#ui/Banner.tsx';
import { postUndo, deleteAlert, dismissReasons, readConflict } from '../api.ts';
import { type SavedAlert } from '../alerts/editorState.ts';
import { useSecondsLeft } from '../parts/UndoWindow.tsx';
import { type AlertRow, calledOf, raisedCooldown, type AlertOfAny } from './alertRows.ts';
import { type Destinations } from '#subjects/alerts/rules/recipient.ts';
import { joinedDestinations } from '#subjects/alerts/rules/alert.ts';
import { snoozeEnd, deleteScanAlert, switchScanAlert } from '../../shared/alertRequests.ts';
import { showBriefly } from '#web/shared/saved.ts';

const AT_ONCE = 4;
/** Statuses after which no further alert is tried: the session ended or the rate limit is reached. */
const ENDS_ALL: readonly number[] = [401, 429];

const FAILED: Readonly<Record<BulkAction, string>> = {
  on: MESSAGES.watchlist.toggleActive,
  off: MESSAGES.watchlist.toggleActive,
  snooze: MESSAGES.watchlist.saveAlert,
  group: MESSAGES.watchlist.saveAlert,
  delete: MESSAGES.watchlist.deleteAlert,
  raise: MESSAGES.watchlist.saveAlert,
  lower: MESSAGES.watchlist.saveAlert,
  merge: MESSAGES.watchlist.saveAlert,
  dismiss: MESSAGES.watchlist.saveAlert,
  restore: MESSAGES.watchlist.saveAlert,
};

const INVERSE: Readonly<Partial<Record<BulkAction, BulkAction>>> = {
  off: 'on',
  raise: 'lower',
  dismiss: 'restore',
};

type Change =
  | { active: boolean }
  | { snoozed_until: string }
  | { group: string | null }
  | { cooldown_minutes: number }
  | { destinations: Destinations };

type BulkChange = { action: BulkAction; rows: readonly AlertRow[]; group: string | null };

/** Changes an alert, based on its newest version. @throws ApiError if other changes come first twice */
async function change(id: number, what: Change): Promise<void> {
  const first = readConflict(await request('PATCH /api/alerts/:id', { params: { id }, body: what }), '');
  if (first === null) return;
  const version = first.alert?.version;
  const second = await request('PATCH /api/alerts/:id', {
    params: { id },
    body: { ...what, ...(version ? { version } : {}) },
  });
  const conflict = readConflict(second, '');
  if (conflict !== null) throw new ApiError(conflict.error, 409, second);
}

async function remove({ of }: AlertRow): Promise<void> {
  try {
    await (of.kind === 'alert' ? deleteAlert(of.alert.id) : deleteScanAlert(of.alert.id));
  } catch (problem) {
    // The alert is already deleted, in another window or by a chat.
    if (!(problem instanceof ApiError && problem.status === 404)) throw problem;
  }
}

const changeAny = ({ kind, alert }: AlertOfAny, what: Change): Promise<void> =>
  kind === 'alert' ? change(alert.id, what) : switchScanAlert(alert.id, what);

/** Extends the original's destinations before deleting a duplicate, so that a failure loses no message. */
async function merge(row: AlertRow, rows: readonly AlertRow[]): Promise<void> {
  const { original } = row;
  if (original === null) return;
  const same = rows.filter((other) => other.original === original);
  const destinations = [original.alert, ...same].map((one) => one.destinations);
  await changeAny(original, { destinations: joinedDestinations(destinations) });
  await remove(row);
}

async function doOne(row: AlertRow, { action, rows, group }: BulkChange): Promise<void> {
  switch (action) {
    case 'delete':
      return remove(row);
    case 'merge':
      return merge(row, rows);
    case 'dismiss':
    case 'restore':
      return dismissReasons(row.reasons, action === 'dismiss');
    case 'group':
      return changeAny(row.of, { group });
    case 'snooze':
      return changeAny(row.of, { snoozed_until: snoozeEnd() });
    case 'raise':
    case 'lower': {
      const before = row.of.alert.cooldown_minutes;
      const minutes = action === 'raise' ? (raisedCooldown(row) ?? before) : before;
      return changeAny(row.of, { cooldown_minutes: minutes });
    }
    case 'on':
    case 'off':
      return changeAny(row.of, { active: action === 'on' });
  }
}

/**
 * Runs an action on all rows, some at once.
 * @param ended called for each row that succeeded or failed
 * @returns the failures in row order
 */
async function doWithAll(
  rows: readonly AlertRow[],
  action: BulkAction,
  ended: (row: AlertRow, isDone: boolean) => void,
  group: string | null = null,
): Promise<FailedAlert[]> {
  const reasons = new Map<AlertRow, string>();
  const waiting = [...rows];
  let end: string | null = null;
  const fail = (row: AlertRow, reason: string): void => {
    reasons.set(row, reason);
    ended(row, false);
  };
  async function work(): Promise<void> {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const reason: string | null = end ?? (action === 'snooze' && !row.of.alert.active ? 'It is off' : null);
      if (reason !== null) {
        fail(row, reason);
        continue;
      }
      try {
        await doOne(row, { action, rows, group });
        ended(row, true);
      } catch (problem) {
        const message = messageOf(problem, FAILED[action]);
        if (problem instanceof ApiError && ENDS_ALL.includes(problem.status)) end = message;
        fail(row, message);
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return rows.flatMap((row) => {
    const reason = reasons.get(row);
    return reason === undefined ? [] : [{ called: calledOf(row), reason }];
  });
}

type Outcome = {
  text: string;
  isWhole: boolean;
  undo: (() => Promise<void>) | null;
};

const NOTHING_WANTED: ReadonlyMap<string, boolean> = new Map();

const without = (wanted: ReadonlyMap<string, boolean>, id: string): ReadonlyMap<string, boolean> =>
  new Map([...wanted].filter(([other]) => other !== id));

/**
 * Runs an action on several alerts and reports the result. A switch shows its new state immediately, and
 * reverts if refused.
 * @param load reloads the alerts
 */
export function useMany(load: () => Promise<void>) {
  const [running, setRunning] = useState<BulkAction | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [wanted, setWanted] = useState(NOTHING_WANTED);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const run = useCallback(
    async (rows: readonly AlertRow[], action: BulkAction, group: string | null = null): Promise<void> => {
      setRunning(action);
      setOutcome(null);
      if (action === 'on' || action === 'off')
        setWanted(new Map(rows.map(({ id }) => [id, action === 'on'])));
      const done: AlertRow[] = [];
      const ended = (row: AlertRow, isDone: boolean) => {
        if (isDone) done.push(row);
        else setWanted((before) => without(before, row.id));
      };
      const failed = await doWithAll(rows, action, ended, group);
      const text = outcomeText(action, rows.length, failed);
      if (!isShown.current) return showBriefly(text);
      await load();
      setWanted(NOTHING_WANTED);
      setRunning(null);
      const changed = action === 'off' ? done.filter(({ of }) => of.alert.active) : done;
      const inverse = INVERSE[action];
      const undo = inverse !== undefined && changed.length > 0 ? () => run(changed, inverse) : null;
      setOutcome({ text, isWhole: failed.length === 0, undo });
    },
    [load],
  );
  return { running, outcome, wanted, run, forget: () => setOutcome(null) };
}

const armsOf = ({ of }: AlertRow): number | null => (of.kind === 'alert' ? (of.alert.armsAt ?? null) : null);

/** Undoes a change. Returns why that was refused; null on success. */
async function undo(alert: SavedAlert): Promise<string | null> {
  try {
    return (await postUndo(alert)).refusal;
  } catch (problem) {
    return messageOf(problem, MESSAGES.watchlist.saveAlert);
  }
}

export function UndoMany({ rows, load }: { rows: readonly AlertRow[]; load(): Promise<void> }): ReactNode {
  const [refusal, setRefusal] = useState<string | null>(null);
  const pending = rows.filter((row) => armsOf(row) !== null);
  const last = Math.max(...pending.map((row) => armsOf(row) ?? 0));
  const seconds = useSecondsLeft(pending.length === 0 ? null : last);
  const undoAll = async () => {
    const refusals = await Promise.all(
      pending.map(async (row) => {
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
              {namedFew(pending.map(calledOf))}: already true, fires in five seconds unless you undo.
            </span>
            <span aria-hidden="true">
              {namedFew(pending.map(calledOf))}: already true, fires in {seconds} s
            </span>
          </p>
          <Button onClick={() => void undoAll()}>Undo</Button>
        </div>
      )}
    </>
  );
}

const NONE: ReadonlySet<string> = new Set();

/** The ids between two, in either order; only `to` if `from` is unknown. */
function idsBetween(ids: readonly string[], from: string | null, to: string): string[] {
  const [start, end] = [from === null ? -1 : ids.indexOf(from), ids.indexOf(to)];
  if (start < 0 || end < 0) return [to];
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/** The selection of rows. A range starts at the row that was toggled last. @param shownIds in display order */
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
  shown: number;
  selected: readonly AlertRow[];
  needsAttention: boolean;
  running: BulkAction | null;
  /** The button that exports the table. */
  exporting: ReactNode;
  onAll(isOn: boolean): void;
  onDo(action: BulkAction, rows: readonly AlertRow[]): void;
};

const ACTIONS = [
  ['on', 'Switch on'],
  ['off', 'Switch off'],
  ['snooze', 'Snooze 1 h'],
  ['group', 'Group…'],
] as const satisfies readonly (readonly [BulkAction, string])[];

function raiseLabel(rows: readonly AlertRow[]): string {
  const [minutes, ...others] = new Set(rows.map(raisedCooldown));
  return minutes && others.length === 0 ? `Cooldown ${minutes} min` : 'Raise cooldown';
}

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

export function ManyBar(props: ManyBarProps): ReactNode {
  const { shown, selected, needsAttention, running, exporting, onAll, onDo } = props;
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
      {exporting}
      {count > 0 && (
        <>
          {actionsOf(selected, needsAttention).map(({ action, label, rows }) => (
            <Button
              key={action}
              disabled={rows.length === 0 || running !== null}
              onClick={() => onDo(action, rows)}
            >
              {label}
            </Button>
          ))}
          <Button variant="danger" disabled={running !== null} onClick={() => onDo('delete', selected)}>
            Delete…
          </Button>
        </>
      )}
    </div>
  );
}
