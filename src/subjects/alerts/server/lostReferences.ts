import { factStore } from '#platform/db/facts.ts';
import type { Db } from '#platform/db/open.ts';
import { isRecord } from '#lib/json.ts';
import { Repetition } from '#lib/scheduler.ts';
import type { App, Part } from '#platform/app.ts';
import { type Destinations, isNamed, isNowhere } from '#subjects/alerts/rules/recipient.ts';
import { lostReferenceMessage } from '#subjects/alerts/rules/shortageMessage.ts';
import type { ChatDelivery } from './messages.ts';
import { usersWithAlerts } from './store.ts';

/** An active alert that reads something deleted. */
export type LostReference = {
  /** Alert id; negative for an alert on a whole scan. */
  id: number;
  title: string;
  problem: string;
  destinations: Destinations;
};

const CHECK_EVERY_MS = 30_000;
/** Users per check. After a start all users are due, because an update may have removed an indicator. */
const USERS_PER_CHECK = 50;
const NOTIFIED_KEY = 'alerts_with_lost_references';

type NotifiedOwner = Record<string, number[]>;

function readNotified(db: Db): NotifiedOwner {
  const kept = factStore(db).read(NOTIFIED_KEY);
  if (!isRecord(kept)) return {};
  return Object.fromEntries(
    Object.entries(kept).flatMap(([userId, ids]) =>
      Array.isArray(ids) ? [[userId, ids.filter((id): id is number => Number.isInteger(id))]] : [],
    ),
  );
}

/** Notifies the owner of an active alert once if a list, saved scan or indicator that the alert reads was deleted. */
class LostReferenceWatch {
  readonly due = new Set<number>();

  constructor(private readonly app: App) {}

  start(): void {
    for (const userId of usersWithAlerts(this.app.db)) this.due.add(userId);
  }

  check(): void {
    const notified = readNotified(this.app.db);
    // These users are checked again. A repaired alert is removed, so that its owner is notified if it happens again.
    for (const userId of Object.keys(notified)) this.due.add(Number(userId));
    const users = [...this.due].slice(0, USERS_PER_CHECK);
    if (users.length === 0) return;
    const messages: ChatDelivery[] = [];
    const next = { ...notified };
    for (const userId of users) {
      const lost = this.lostOf(userId);
      const known = new Set(notified[userId]);
      messages.push(
        ...this.messagesTo(
          userId,
          lost.filter(({ id }) => !known.has(id)),
        ),
      );
      if (lost.length > 0) next[userId] = lost.map(({ id }) => id);
      else delete next[userId];
    }
    if (messages.length > 0 || !Bun.deepEquals(next, notified)) this.write(next, messages);
    for (const userId of users) this.due.delete(userId);
  }

  private lostOf(userId: number): LostReference[] {
    const { alerts } = this.app;
    return [...alerts.lostReferences(userId), ...alerts.scanAlerts.lostReferences(userId)];
  }

  private write(notified: NotifiedOwner, messages: readonly ChatDelivery[]): void {
    const { outbox } = this.app;
    this.app.db.transaction(
      () => {
        outbox.add(messages);
        factStore(this.app.db).write(NOTIFIED_KEY, notified);
      },
      { behavior: 'immediate' },
    );
    outbox.wake();
  }

  /** One message per chat or device, with the alerts that are sent there and those without destinations. */
  private messagesTo(userId: number, lost: readonly LostReference[]): ChatDelivery[] {
    if (lost.length === 0) return [];
    return this.app.chatsOf(userId).flatMap((place) => {
      const own = lost
        .filter(({ destinations }) => isNowhere(destinations) || isNamed(place, destinations))
        .map(({ title, problem }) => ({ title, reason: problem }));
      if (own.length === 0) return [];
      return [{ ...place, userId, triggerId: null, mayWait: true, message: lostReferenceMessage(own) }];
    });
  }
}

export function createLostReferences(app: App) {
  const { db, indicators, log, schedule, watchlist } = app;
  const watch = new LostReferenceWatch(app);
  const checks = new Repetition({
    schedule,
    everyMs: CHECK_EVERY_MS,
    work: () => watch.check(),
    log: log.child('lostReferences'),
    failure: 'Could not check alerts for deleted lists, scans and indicators; trying again',
  });
  indicators.listenToScans((userId) => void watch.due.add(userId));
  watchlist.listen({
    changed(userId, symbol) {
      // An empty symbol means that a list was added, renamed or deleted.
      if (symbol === '') watch.due.add(userId);
    },
  });
  return {
    name: 'lostReferences',
    start() {
      watch.start();
      checks.start();
    },
    stop: () => checks.stop(),
    inspect: () => ({
      label: 'Alerts with deleted references',
      description:
        'Users whose active alerts are waiting to be checked for deleted lists, saved scans and indicators.',
      summary: { due: watch.due.size },
      data: () => ({ due: [...watch.due], notified: readNotified(db) }),
    }),
  } satisfies Part;
}
