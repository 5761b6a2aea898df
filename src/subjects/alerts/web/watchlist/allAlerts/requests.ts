import { type FailedAlert, type BulkAction, outcomeText } from '#subjects/alerts/rules/manyAlerts.ts';
import { MESSAGES } from '#texts/messages.ts';
import { snoozeEnd, deleteScanAlert, switchScanAlert } from '#subjects/alerts/web/shared/scanAlerts/api.ts';
import { ApiError, api, messageOf, unwrap } from '#web/api/client.ts';
import { deleteAlert } from '../api.ts';
import { readConflict } from '../savedAlert.ts';
import { type AlertRow, calledOf } from './alertRows.ts';
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
};

type Change = { active: boolean } | { snoozed_until: string } | { group: string | null };

/** What is done, and of `group` under which name; null for none. */
type Deed = { action: BulkAction; group: string | null };

/**
 * Changes an alert as its editor does: on top of whatever change came first, which this one does not touch.
 * @throws ApiError with the server's sentence, also where it says again that another change came first
 */
async function change(id: number, what: Change): Promise<void> {
  const first = readConflict(await unwrap(api.alerts({ id }).patch(what)), '');
  if (first === null) return;
  const version = first.alert?.version;
  const second = await unwrap(api.alerts({ id }).patch({ ...what, ...(version ? { version } : {}) }));
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

function changeOf(action: Exclude<BulkAction, 'delete'>, group: string | null): Change {
  if (action === 'group') return { group };
  return action === 'snooze' ? { snoozed_until: snoozeEnd() } : { active: action === 'on' };
}

/** @throws ApiError with the server's sentence */
async function request(row: AlertRow, { action, group }: Deed): Promise<void> {
  if (action === 'delete') return remove(row);
  const { kind, alert } = row.of;
  const what = changeOf(action, group);
  return kind === 'alert' ? change(alert.id, what) : switchScanAlert(alert.id, what);
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
        await request(row, { action, group });
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
export type Outcome = { text: string; isWhole: boolean };

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
      const forget = ({ id }: AlertRow, isDone: boolean) => {
        if (!isDone) setWanted((before) => without(before, id));
      };
      const failed = await doWithAll(rows, action, forget, group);
      const text = outcomeText(action, rows.length, failed);
      if (!isShown.current) return sayBriefly(text);
      await load();
      setWanted(NONE);
      setRunning(null);
      setOutcome({ text, isWhole: failed.length === 0 });
    },
    [load],
  );
  return { running, outcome, wanted, run, forget: () => setOutcome(null) };
}
