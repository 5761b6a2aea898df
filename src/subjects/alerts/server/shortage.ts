import { and, eq, inArray } from 'drizzle-orm';
import { alerts, scanAlerts } from '#src/tables/alertSchema.ts';
import { factStore } from '#platform/db/facts.ts';
import type { Db } from '#platform/db/open.ts';
import { shortageMessage } from '#subjects/alerts/rules/shortageMessage.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { inScan } from '#subjects/conditions/rules/savedScan.ts';
import { scanAlertTitle } from '#subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import { Repetition } from '#lib/scheduler.ts';
import type { App, Part } from '#platform/app.ts';
import { type Destinations, isNamed } from '#subjects/alerts/rules/recipient.ts';
import { destinationsOf } from '#subjects/alerts/rules/alert.ts';
import type { ChatDelivery } from './messages.ts';
import { usersWithAlerts } from './store.ts';

/** Interval of checks. An alert is reported if it waits at two checks, so that a brief change causes no message. */
const CHECK_EVERY_MS = 60_000;
/** Stored ids of alerts whose owners were notified. */
const NOTIFIED_KEY = 'alerts_without_values';

const readNotified = (db: Db): Set<number> => {
  const kept = factStore(db).read(NOTIFIED_KEY);
  return new Set(Array.isArray(kept) ? kept.filter((id): id is number => Number.isInteger(id)) : []);
};

/** An active alert that waits for indicator values. */
type Waiting = { userId: number; title: string; logic: Logic; destinations: Destinations };

/** @param ids negative for alerts on whole scans */
function alertsOf(db: Db, ids: readonly number[]): Waiting[] {
  const onStocks = db
    .select()
    .from(alerts)
    .where(and(inArray(alerts.id, [...ids]), eq(alerts.active, true)))
    .all();
  const onScans = db
    .select()
    .from(scanAlerts)
    .where(
      and(
        inArray(
          scanAlerts.id,
          ids.map((id) => -id),
        ),
        eq(scanAlerts.active, true),
      ),
    )
    .all();
  return [
    ...onStocks.map(({ symbol, name, ...alert }) => ({
      ...alert,
      destinations: destinationsOf(alert),
      title: name === null ? symbol : `${symbol} ${name}`,
    })),
    ...onScans.flatMap((alert) =>
      alert.scan.type === 'scan'
        ? [
            {
              ...alert,
              destinations: destinationsOf(alert),
              title: alert.name ?? scanAlertTitle(alert),
              logic: inScan(alert.scan),
            },
          ]
        : [],
    ),
  ];
}

/** Notifies the owners of active alerts that lack indicator values, once per alert. */
class ShortageWatch {
  /** Alerts that waited at the last check; ids of scan alerts are negative. */
  waiting = new Set<number>();

  constructor(private readonly app: App) {}

  check(): void {
    const { db, outbox } = this.app;
    const waiting = this.waitingNow();
    const notified = readNotified(db);
    const fresh = [...waiting].filter((id) => this.waiting.has(id) && !notified.has(id));
    // An alert that got its values is removed, so that it is reported again the next time.
    const kept = [...notified].filter((id) => waiting.has(id));
    this.waiting = waiting;
    if (fresh.length === 0 && kept.length === notified.size) return;
    db.transaction(
      () => {
        const byUser = Map.groupBy(alertsOf(db, fresh), ({ userId }) => userId);
        outbox.add([...byUser].flatMap(([userId, own]) => this.messagesTo(userId, own)));
        factStore(db).write(NOTIFIED_KEY, [...kept, ...fresh]);
      },
      { behavior: 'immediate' },
    );
    outbox.wake();
  }

  private waitingNow(): Set<number> {
    const { db, indicators } = this.app;
    return new Set(usersWithAlerts(db).flatMap((userId) => indicators.alertsWaiting(userId)));
  }

  /** One message per chat or device, with the alerts that are sent there. */
  private messagesTo(userId: number, own: readonly Waiting[]): ChatDelivery[] {
    const { chatsOf, indicators } = this.app;
    return chatsOf(userId).flatMap((place) => {
      const short = own
        .filter(({ destinations }) => isNamed(place, destinations))
        .map(({ title, logic }) => ({ title, reason: indicators.alertShortage(userId, { logic }) ?? '' }));
      if (short.length === 0) return [];
      return [{ ...place, userId, triggerId: null, mayWait: true, message: shortageMessage(short) }];
    });
  }
}

export function createShortage(app: App) {
  const { log, schedule } = app;
  const watch = new ShortageWatch(app);
  const checks = new Repetition({
    schedule,
    everyMs: CHECK_EVERY_MS,
    work: () => watch.check(),
    log: log.child('shortage'),
    failure: 'Could not check for alerts without values; trying again',
  });
  return {
    name: 'shortage',
    start: () => checks.start(),
    stop: () => checks.stop(),
    inspect: () => ({
      label: 'Alerts without values',
      description:
        'Active alerts that are not evaluated because the server is at its limit of indicator values.',
      summary: { waiting: watch.waiting.size },
      data: () => ({ alerts: [...watch.waiting] }),
    }),
  } satisfies Part;
}
