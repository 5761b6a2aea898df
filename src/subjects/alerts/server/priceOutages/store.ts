import { and, eq, gt, gte, lt } from 'drizzle-orm';
import { alerts, alertTriggers, scanAlerts, scanAlertTriggers } from '#src/tables/alertSchema.ts';
import { factStore } from '#platform/db/facts.ts';
import type { Db } from '#platform/db/open.ts';
import {
  type Destinations,
  type Destination,
  isNamed,
  type Places,
} from '#subjects/alerts/rules/recipient.ts';
import { joinedDestinations } from '#subjects/alerts/rules/alert.ts';
import { type OutageState, readOutageState } from '#subjects/alerts/rules/priceOutage.ts';
import { isChosenDevice } from '#subjects/devices/rules/device.ts';
import { newestTrigger } from '../store.ts';
import { isRecord } from '#lib/json.ts';

const STATE_KEY = 'blind_spots';
const NOTIFIED_KEY = 'blind_spots_told';

export type Recipient = Destination & { userId: number };

export type OwnersPlaces = {
  /** Chats and devices that receive messages, including those whose messages are retried. */
  chatsOf(userId: number): readonly Destination[];
  placesOf(userId: number): Places;
};

function namedByUser(db: Db): Map<number, Destinations> {
  const rows = [alerts, scanAlerts].flatMap((table) => {
    const { userId, telegram, discord, devices, active } = table;
    return db
      .selectDistinct({ userId, telegram, discord, devices })
      .from(table)
      .where(eq(active, true))
      .orderBy(userId)
      .all();
  });
  const byUser = Map.groupBy(rows, (row) => row.userId);
  return new Map([...byUser].map(([id, own]) => [id, joinedDestinations(own)]));
}

/** Whether a user has at least one of these destinations, working or not. */
const hasAny = ({ chats, devices }: Places, named: Destinations): boolean =>
  chats.some(({ platform, isConfirmed }) => isConfirmed && named[platform]) ||
  devices.some(({ id }) => isChosenDevice(named.devices, id));

/** Destinations of a user's alerts; all of the user's places if none of those works. */
function reachedBy({ chatsOf, placesOf }: OwnersPlaces, userId: number, named: Destinations) {
  const usable = chatsOf(userId);
  const chosen = usable.filter((place) => isNamed(place, named));
  return chosen.length > 0 || !hasAny(placesOf(userId), named) ? chosen : usable;
}

const toRecipients = (userId: number, places: readonly Destination[]): Recipient[] =>
  places.map(({ platform, chatId }) => ({ userId, platform, chatId }));

export class OutageStore {
  private readonly facts;

  constructor(
    private readonly db: Db,
    private readonly owners: OwnersPlaces,
  ) {
    this.facts = factStore(db);
  }

  /** The callback must not await. */
  inTransaction(work: () => void): void {
    this.db.transaction(work, { behavior: 'immediate' });
  }

  /** Null if no state is stored or it is unreadable. */
  state(source: string): OutageState | null {
    const kept = this.facts.read(STATE_KEY);
    return isRecord(kept) && kept['source'] === source ? readOutageState(kept['state']) : null;
  }

  setState(source: string, state: OutageState): void {
    this.facts.write(STATE_KEY, { source, state });
  }

  notified(): number[] {
    const kept = this.facts.read(NOTIFIED_KEY);
    return Array.isArray(kept) ? kept.filter((id): id is number => Number.isInteger(id)) : [];
  }

  setNotified(userIds: readonly number[]): void {
    this.facts.write(NOTIFIED_KEY, userIds);
  }

  recipients(): Recipient[] {
    return [...namedByUser(this.db)].flatMap(([userId, named]) =>
      toRecipients(userId, reachedBy(this.owners, userId, named)),
    );
  }

  placesOf(userIds: readonly number[]): Recipient[] {
    return userIds.flatMap((userId) => toRecipients(userId, this.owners.chatsOf(userId)));
  }

  newestTrigger(): number {
    return newestTrigger(this.db, alertTriggers);
  }

  /**
   * Symbols of each user whose alerts fired, also silently, between two wall times, epoch ms.
   * @param after ignores triggers of stock alerts up to this id
   */
  fired(after: number, since: number, until: number): Map<number, string[]> {
    const stocks = this.db
      .selectDistinct({ userId: alerts.userId, symbol: alertTriggers.symbol })
      .from(alertTriggers)
      .innerJoin(alerts, eq(alerts.id, alertTriggers.alertId))
      .where(
        and(
          gt(alertTriggers.id, after),
          gte(alertTriggers.triggeredAt, since),
          lt(alertTriggers.triggeredAt, until),
        ),
      )
      .orderBy(alertTriggers.symbol)
      .all();
    const { userId, symbol, symbols, triggeredAt } = scanAlertTriggers;
    const scans = this.db
      .select({ userId, symbol, symbols })
      .from(scanAlertTriggers)
      .where(and(gte(triggeredAt, since), lt(triggeredAt, until)))
      .all();
    const all = [
      ...stocks,
      ...scans.flatMap((row) =>
        (row.symbol === null ? row.symbols : [row.symbol]).map((one) => ({
          userId: row.userId,
          symbol: one,
        })),
      ),
    ];
    const byUser = Map.groupBy(all, (row) => row.userId);
    return new Map([...byUser].map(([id, own]) => [id, [...new Set(own.map((row) => row.symbol))]]));
  }
}
