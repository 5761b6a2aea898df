import { type FailedAlert, type BulkAction, outcomeText } from '#subjects/alerts/rules/manyAlerts.ts';
import { type Destinations, joinedDestinations } from '#subjects/alerts/rules/alert.ts';
import { MESSAGES } from '#texts/messages.ts';
import { snoozeEnd, deleteScanAlert, switchScanAlert } from '#subjects/alerts/web/shared/scanAlerts/api.ts';
import { ApiError, request, messageOf } from '#web/api/client.ts';
import { deleteAlert } from '../api.ts';
import { dismissReasons } from '../attention.ts';
import { readConflict } from '../savedAlert.ts';
import { type AlertOfAny, type AlertRow, calledOf, raisedCooldown } from './alertRows.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { sayBriefly } from '#web/shared/saved.ts';

/** Requests that are under way at once. */
const AT_ONCE = 4;
/** Nothing more is taken for a while, or from this session at all: the others need not be tried. */
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

/** What takes an action back. */
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

/** What is done, with which alerts, and of `group` under which name; null for none. */
type Deed = { action: BulkAction; rows: readonly AlertRow[]; group: string | null };

/**
 * Changes an alert as its editor does: on top of whatever change came first, which this one does not touch.
 * @throws ApiError with the server's sentence, also where it says again that another change came first
 */
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
    // Deleted already, in another window or by a chat.
    if (!(problem instanceof ApiError && problem.status === 404)) throw problem;
  }
}

const changeAny = ({ kind, alert }: AlertOfAny, what: Change): Promise<void> =>
  kind === 'alert' ? change(alert.id, what) : switchScanAlert(alert.id, what);

/** Sends the original also where its duplicates were sent, before one is deleted: a fault in between loses no message. */
async function merge(row: AlertRow, rows: readonly AlertRow[]): Promise<void> {
  const { original } = row;
  if (original === null) return;
  const same = rows.filter((other) => other.original === original);
  const destinations = [original.alert, ...same].map((one) => one.destinations);
  await changeAny(original, { destinations: joinedDestinations(destinations) });
  await remove(row);
}

/** @throws ApiError with the server's sentence */
async function doOne(row: AlertRow, { action, rows, group }: Deed): Promise<void> {
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

/** What says nothing anyway can't be snoozed. */
const standsAgainst = ({ of }: AlertRow, action: BulkAction): string | null =>
  action === 'snooze' && !of.alert.active ? 'It is off' : null;

/**
 * Does something with each alert, some at once.
 * @param ended called with each that is done or failed
 * @param group that they are filed under
 * @returns those with which it could not be done, in the order of the rows
 */
export async function doWithAll(
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
      const reason: string | null = end ?? standsAgainst(row, action);
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

/** What became of the last action, in words, and whether it was done with each. */
type Outcome = {
  text: string;
  isWhole: boolean;
  /** Takes it back; null if that cannot be done. */
  undo: (() => Promise<void>) | null;
};

const NONE: ReadonlyMap<string, boolean> = new Map();

const without = (wanted: ReadonlyMap<string, boolean>, id: string): ReadonlyMap<string, boolean> =>
  new Map([...wanted].filter(([other]) => other !== id));

/**
 * Does something with several alerts and says what became of it. As in an editor, a switch shows at once what it was set to, and
 * goes back where that is refused.
 * @param load loads the alerts again
 */
export function useMany(load: () => Promise<void>) {
  const [running, setRunning] = useState<BulkAction | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [wanted, setWanted] = useState(NONE);
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
      if (!isShown.current) return sayBriefly(text);
      await load();
      setWanted(NONE);
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
