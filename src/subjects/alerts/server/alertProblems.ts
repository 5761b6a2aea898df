import { factStore } from '#platform/db/facts.ts';
import type { Db } from '#platform/db/open.ts';
import { isRecord } from '#lib/json.ts';
import { Repetition } from '#lib/scheduler.ts';
import type { App, Part } from '#platform/app.ts';
import { isNamed, isNowhere } from '#subjects/alerts/rules/recipient.ts';
import { type AlertProblem, problemMessage } from '#subjects/alerts/rules/problemMessage.ts';
import type { ChatDelivery } from './messages.ts';
import { usersWithAlerts } from './store.ts';

/** Interval of checks. An alert is reported if two checks find its problem, so that a brief change causes no message. */
const CHECK_EVERY_MS = 60_000;
/** Users per check. After a start all users are due, because an update may have removed an indicator. */
const USERS_PER_CHECK = 100;
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

/** Notifies the owner of an active alert once if the alert lacks indicator values or reads something deleted. */
class ProblemWatch {
  readonly due = new Set<number>();
  /** By user, the alerts whose problem the last check found first. */
  readonly #found = new Map<number, ReadonlySet<number>>();

  constructor(private readonly app: App) {}

  start(): void {
    for (const userId of usersWithAlerts(this.app.db)) this.due.add(userId);
  }

  check(): void {
    const { db, indicators } = this.app;
    const notified = readNotified(db);
    for (const userId of usersWithAlerts(db)) if (indicators.alertsWait(userId)) this.due.add(userId);
    // These users are checked again. A repaired alert is removed, so that its owner is notified if it happens again.
    for (const userId of Object.keys(notified)) this.due.add(Number(userId));
    const users = [...this.due].slice(0, USERS_PER_CHECK);
    if (users.length === 0) return;
    const messages: ChatDelivery[] = [];
    const next = { ...notified };
    const found = new Map<number, ReadonlySet<number>>();
    for (const userId of users) {
      const problems = this.problemsOf(userId);
      const reported = new Set(notified[userId]);
      const unreported = problems.filter(({ id }) => !reported.has(id));
      const due = unreported.filter(({ id }) => this.#found.get(userId)?.has(id));
      const first = unreported.filter((one) => !due.includes(one)).map(({ id }) => id);
      found.set(userId, new Set(first));
      messages.push(...this.messagesTo(userId, due));
      const known = problems.map(({ id }) => id).filter((id) => !first.includes(id));
      if (known.length > 0) next[userId] = known;
      else delete next[userId];
    }
    if (messages.length > 0 || !Bun.deepEquals(next, notified)) this.write(next, messages);
    for (const [userId, first] of found) {
      this.due.delete(userId);
      this.#found.delete(userId);
      if (first.size === 0) continue;
      this.#found.set(userId, first);
      this.due.add(userId);
    }
  }

  private problemsOf(userId: number): AlertProblem[] {
    const { alerts } = this.app;
    return [...alerts.problems(userId), ...alerts.scanAlerts.problems(userId)];
  }

  private write(notified: NotifiedOwner, messages: readonly ChatDelivery[]): void {
    const { db, outbox } = this.app;
    db.transaction(
      () => {
        outbox.add(messages);
        factStore(db).write(NOTIFIED_KEY, notified);
      },
      { behavior: 'immediate' },
    );
    outbox.wake();
  }

  /** One message per chat or device, with the alerts that are sent there and those without destinations. */
  private messagesTo(userId: number, problems: readonly AlertProblem[]): ChatDelivery[] {
    if (problems.length === 0) return [];
    return this.app.chatsOf(userId).flatMap((place) => {
      const own = problems.filter(
        ({ destinations }) => isNowhere(destinations) || isNamed(place, destinations),
      );
      if (own.length === 0) return [];
      return [{ ...place, userId, triggerId: null, mayWait: true, message: problemMessage(own) }];
    });
  }
}

export function createAlertProblems(app: App) {
  const { db, indicators, log, schedule, watchlist } = app;
  const watch = new ProblemWatch(app);
  const checks = new Repetition({
    schedule,
    everyMs: CHECK_EVERY_MS,
    work: () => watch.check(),
    log: log.child('alertProblems'),
    failure: 'Could not check alerts for missing values and deleted references; trying again',
  });
  indicators.listenToScans((userId) => void watch.due.add(userId));
  watchlist.listen({
    changed(userId, symbol) {
      // An empty symbol means that a list was added, renamed or deleted.
      if (symbol === '') watch.due.add(userId);
    },
  });
  return {
    name: 'alertProblems',
    start() {
      watch.start();
      checks.start();
    },
    stop: () => checks.stop(),
    inspect: () => ({
      label: 'Alerts with problems',
      description:
        'Users whose active alerts are checked for missing indicator values and for deleted lists, scans and indicators.',
      summary: { due: watch.due.size },
      data: () => ({ due: [...watch.due], notified: readNotified(db) }),
    }),
  } satisfies Part;
}
