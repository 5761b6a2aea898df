import { eq, inArray } from 'drizzle-orm';
import { alerts, alertTriggers } from '../../../platform/db/alertSchema.ts';
import type { Db } from '../../../platform/db/open.ts';
import type { TriggerBound } from '../rules/triggerList.ts';

const ALERTS_OF_USER = 'SELECT id FROM alerts WHERE user_id = $userId';
/** Of the index alone. */
const NEWEST_OF_ALERT = `SELECT triggered_at, id FROM alert_triggers
  WHERE alert_id = $alertId AND triggered_at BETWEEN $floor AND $at AND (triggered_at < $at OR id < $id)
  ORDER BY triggered_at DESC, id DESC LIMIT $limit`;

export const OWN_TRIGGER_QUERIES = [ALERTS_OF_USER, NEWEST_OF_ALERT] as const;

type Params = Record<string, number>;

const newestFirst = ([at, id]: number[], [otherAt, otherId]: number[]): number =>
  (otherAt ?? 0) - (at ?? 0) || (otherId ?? 0) - (id ?? 0);

/** The triggers of all of a user's alerts. */
export function ownTriggerQueries(db: Db) {
  const alertsOf = db.$client.query<{ id: number }, Params>(ALERTS_OF_USER);
  const newestOf = db.$client.query<never, Params>(NEWEST_OF_ALERT);

  /**
   * Alert by alert, as nothing in the index stands by user: what is older than so many that were found already is not looked at.
   * An alert that fires all the time has thousands.
   */
  function newestIds(userId: number, { at, id }: TriggerBound, limit: number): number[] {
    let found: number[][] = [];
    for (const { id: alertId } of alertsOf.all({ userId })) {
      const floor = found.length < limit ? 0 : (found.at(-1)?.[0] ?? 0);
      const own = newestOf.values({ alertId, floor, at, id, limit }) as number[][];
      if (own.length > 0) found = [...found, ...own].sort(newestFirst).slice(0, limit);
    }
    return found.map(([, triggerId]) => triggerId ?? 0);
  }

  return {
    /** The newest behind a place, with the names of their alerts, in no order. */
    ownTriggers: (userId: number, behind: TriggerBound, limit: number) =>
      db
        .select({ trigger: alertTriggers, name: alerts.name })
        .from(alertTriggers)
        .innerJoin(alerts, eq(alerts.id, alertTriggers.alertId))
        .where(inArray(alertTriggers.id, newestIds(userId, behind, limit)))
        .all()
        .map(({ trigger, name }) => ({ trigger: { ...trigger, userId }, name })),
  };
}
