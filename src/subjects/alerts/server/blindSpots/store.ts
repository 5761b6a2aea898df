import { and, eq, exists, gt, gte, inArray, isNotNull, isNull, lt, ne, or } from 'drizzle-orm';
import { alerts, alertTriggers, linkedChats } from '../../../../platform/db/alertSchema.ts';
import { factStore } from '../../../../platform/db/facts.ts';
import type { Db } from '../../../../platform/db/open.ts';
import { type BlindSpotState, readBlindSpotState } from '../../rules/blindSpot.ts';
import type { Destination } from '../../rules/recipient.ts';
import { isChosenDevice, NO_DEVICES } from '../../../devices/rules/device.ts';
import { devicePlace } from '../../../devices/rules/pushEndpoint.ts';
import { devices } from '../../../../platform/db/deviceSchema.ts';
import { newestTrigger } from '../store.ts';
import { isRecord } from '../../../../lib/json.ts';

const STATE_KEY = 'blind_spots';
/** The users who were told of the running blindness. */
const TOLD_KEY = 'blind_spots_told';

/** A chat or device that is told of blind spots. */
export type Recipient = Destination & { userId: number };

const isUsable = and(isNotNull(linkedChats.confirmedAt), isNull(linkedChats.brokenAt));

const DEVICE = { userId: devices.userId, id: devices.id, endpoint: devices.endpoint };

type DeviceRow = { userId: number; id: number; endpoint: string };

const toRecipient = ({ userId, ...device }: DeviceRow): Recipient => ({ userId, ...devicePlace(device) });

const CHAT = { userId: linkedChats.userId, platform: linkedChats.platform, chatId: linkedChats.chatId };

/** Whether an active alert of the chat's user names its platform. */
const isNamed = (db: Db) =>
  exists(
    db
      .select({ id: alerts.id })
      .from(alerts)
      .where(
        and(
          eq(alerts.userId, linkedChats.userId),
          eq(alerts.active, true),
          or(
            and(eq(linkedChats.platform, 'telegram'), eq(alerts.telegram, true)),
            and(eq(linkedChats.platform, 'discord'), eq(alerts.discord, true)),
          ),
        ),
      ),
  );

/** Devices that an active alert of their owner names, each once. */
function devicesNamed(db: Db): Recipient[] {
  const choices = db
    .select({ userId: alerts.userId, devices: alerts.devices })
    .from(alerts)
    .where(and(eq(alerts.active, true), ne(alerts.devices, NO_DEVICES)))
    .all();
  const byUser = Map.groupBy(choices, ({ userId }) => userId);
  return db
    .select(DEVICE)
    .from(devices)
    .where(and(eq(devices.status, 'registered'), inArray(devices.userId, [...byUser.keys()])))
    .orderBy(devices.id)
    .all()
    .filter(({ userId, id }) => byUser.get(userId)?.some((one) => isChosenDevice(one.devices, id)))
    .map(toRecipient);
}

/** Confirmed chats, not broken, and devices that an active alert of their owner names, each once. */
const recipientsOf = (db: Db): Recipient[] => [
  ...db
    .select(CHAT)
    .from(linkedChats)
    .where(and(isUsable, isNamed(db)))
    .orderBy(linkedChats.id)
    .all(),
  ...devicesNamed(db),
];

/** The confirmed chats and the devices of these users, whatever their alerts are by now. */
const placesOf = (db: Db, userIds: readonly number[]): Recipient[] => [
  ...db
    .select(CHAT)
    .from(linkedChats)
    .where(and(inArray(linkedChats.userId, [...userIds]), isUsable))
    .all(),
  ...db
    .select(DEVICE)
    .from(devices)
    .where(and(inArray(devices.userId, [...userIds]), eq(devices.status, 'registered')))
    .all()
    .map(toRecipient),
];

/** SQL of what is remembered of blind spots, and of whom to tell. */
export class BlindSpotStore {
  private readonly facts;

  constructor(private readonly db: Db) {
    this.facts = factStore(db);
  }

  /** Inside the callback nothing else writes; it must not await. */
  inTransaction(work: () => void): void {
    this.db.transaction(work, { behavior: 'immediate' });
  }

  /** Of this source; null when nothing is kept of it. What is unreadable counts as not kept. */
  state(source: string): BlindSpotState | null {
    const kept = this.facts.read(STATE_KEY);
    return isRecord(kept) && kept['source'] === source ? readBlindSpotState(kept['state']) : null;
  }

  setState(source: string, state: BlindSpotState): void {
    this.facts.write(STATE_KEY, { source, state });
  }

  told(): number[] {
    const kept = this.facts.read(TOLD_KEY);
    return Array.isArray(kept) ? kept.filter((id): id is number => Number.isInteger(id)) : [];
  }

  setTold(userIds: readonly number[]): void {
    this.facts.write(TOLD_KEY, userIds);
  }

  recipients(): Recipient[] {
    return recipientsOf(this.db);
  }

  placesOf(userIds: readonly number[]): Recipient[] {
    return placesOf(this.db, userIds);
  }

  newestTrigger(): number {
    return newestTrigger(this.db);
  }

  /**
   * The symbols of each user whose alerts fired, silent ones included, in a stretch of the wall clock, epoch ms.
   * @param after the id of a trigger: older ones are not looked at
   */
  fired(after: number, since: number, until: number): Map<number, string[]> {
    const rows = this.db
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
    const byUser = new Map<number, string[]>();
    for (const { userId, symbol } of rows) {
      const own = byUser.get(userId);
      if (own) own.push(symbol);
      else byUser.set(userId, [symbol]);
    }
    return byUser;
  }
}
