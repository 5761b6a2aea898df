import { and, eq, inArray } from 'drizzle-orm';
import { union } from 'drizzle-orm/sqlite-core';
import { alerts } from '../../../../platform/db/alertSchema.ts';
import { scanAlerts } from '../../../../platform/db/scanAlertSchema.ts';
import { factStore } from '../../../../platform/db/facts.ts';
import type { Db } from '../../../../platform/db/open.ts';
import { shortageMessage } from '../../rules/shortageMessage.ts';
import type { Logic } from '../../../conditions/rules/condition.ts';
import { inScan } from '../../../conditions/rules/savedScan.ts';
import { scanAlertTitle } from '../../rules/scanAlerts/scanAlertText.ts';
import type { ChatMessage } from '../../../chats/rules/chatMessage.ts';
import type { ChatPlatform } from '../../../chats/rules/chatPlatform.ts';
import { type Scheduler, timerScheduler } from '../../../../lib/scheduler.ts';
import type { Core, Part } from '../../../../part.ts';
import type { Indicators } from '../../../indicators/server/service.ts';

type Message = {
  platform: ChatPlatform;
  chatId: string;
  userId: number;
  triggerId: null;
  message: ChatMessage;
};

export type ShortageNeeds = {
  indicators: Pick<Indicators, 'alertsWaiting' | 'alertShortage'>;
  /** The chats of a user that messages can be delivered to. */
  chatsOf(userId: number): readonly { platform: ChatPlatform; chatId: string }[];
  /** `add` is called within the transaction, `wake` after its commit. */
  outbox: { add(messages: readonly Message[]): void; wake(): void };
  schedule?: Scheduler;
};

/** What waits at two looks is told: who saves an alert and takes it back is not bothered. */
const LOOK_EVERY_MS = 60_000;
/** The alerts whose owners were told, by the ids of the alerts. */
const TOLD_KEY = 'alerts_without_values';

const readNotified = (db: Db): Set<number> => {
  const kept = factStore(db).read(TOLD_KEY);
  return new Set(Array.isArray(kept) ? kept.filter((id): id is number => Number.isInteger(id)) : []);
};

/** An active alert that waits, on a stock or on a whole scan. */
type Waiting = { userId: number; title: string; logic: Logic; telegram: boolean; discord: boolean };

/** @param ids of alerts; those on whole scans are negative */
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
      title: name === null ? symbol : `${symbol} ${name}`,
    })),
    ...onScans.flatMap((alert) =>
      alert.scan.type === 'scan'
        ? [{ ...alert, title: alert.name ?? scanAlertTitle(alert), logic: inScan(alert.scan) }]
        : [],
    ),
  ];
}

/** Everybody with an active alert. */
const usersWithAlerts = (db: Db): number[] =>
  union(
    db.select({ userId: alerts.userId }).from(alerts).where(eq(alerts.active, true)),
    db.select({ userId: scanAlerts.userId }).from(scanAlerts).where(eq(scanAlerts.active, true)),
  )
    .all()
    .map(({ userId }) => userId);

/** Tells the owners of active alerts that are not evaluated for want of indicator values, of each alert once. */
export function createShortage(
  core: Pick<Core, 'db' | 'log'>,
  { indicators, chatsOf, outbox, schedule = timerScheduler }: ShortageNeeds,
) {
  const { db } = core;
  const log = core.log.child('shortage');
  let seen = new Set<number>();
  let cancel: (() => void) | null = null;

  /** The ids of all active alerts that wait; those on whole scans are negative. */
  const waitingNow = (): Set<number> =>
    new Set(usersWithAlerts(db).flatMap((userId) => indicators.alertsWaiting(userId)));

  /** One message a chat, of the alerts that name its platform. */
  function messagesTo(userId: number, own: readonly Waiting[]): Message[] {
    return chatsOf(userId).flatMap(({ platform, chatId }) => {
      const short = own
        .filter((alert) => alert[platform])
        .map(({ title, logic }) => ({ title, reason: indicators.alertShortage(userId, { logic }) ?? '' }));
      return short.length === 0
        ? []
        : [{ platform, chatId, userId, triggerId: null, message: shortageMessage(short) }];
    });
  }

  function look(): void {
    const waiting = waitingNow();
    const told = readNotified(db);
    const fresh = [...waiting].filter((id) => seen.has(id) && !told.has(id));
    // What is served again is told anew when it should wait another time.
    const kept = [...told].filter((id) => waiting.has(id));
    seen = waiting;
    if (fresh.length === 0 && kept.length === told.size) return;
    db.transaction(
      () => {
        const byUser = Map.groupBy(alertsOf(db, fresh), ({ userId }) => userId);
        outbox.add([...byUser].flatMap(([userId, own]) => messagesTo(userId, own)));
        factStore(db).write(TOLD_KEY, [...kept, ...fresh]);
      },
      { behavior: 'immediate' },
    );
    outbox.wake();
  }

  function again(): void {
    try {
      look();
    } catch (error) {
      log.error('Alerts without values could not be looked for; trying again', { error });
    }
    cancel = schedule(LOOK_EVERY_MS, again);
  }

  return {
    name: 'shortage',
    start() {
      cancel ??= schedule(LOOK_EVERY_MS, again);
    },
    stop() {
      cancel?.();
      cancel = null;
    },
    inspect: () => ({
      label: 'Alerts without values',
      description: 'Active alerts that are not evaluated, as the server computes no more indicator values.',
      summary: { waiting: seen.size },
      data: () => ({ alerts: [...seen] }),
    }),
  } satisfies Part;
}
