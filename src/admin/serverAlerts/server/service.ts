import type { App } from '#platform/app.ts';
import { and, eq, isNull } from 'drizzle-orm';
import type { Log } from '#lib/log.ts';
import { type FactStore, factStore } from '#platform/db/facts.ts';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { MessagePlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import type { ServerAlert } from '../answers/serverAlerts.ts';
import { type Check, checksOf, type HealthCheck } from '../rules/healthCheck.ts';
import { administratorSeen, type DestinationSeen } from '../rules/serviceChecks.ts';
import {
  beginMessage,
  counting,
  moreMessage,
  overMessage,
  readStatuses,
  type CheckStatus,
  nextStatus,
} from '../rules/checkStatus.ts';

/** Stored ids of administrators who turned messages off. */
const UNWANTED_KEY = 'notices_unwanted';

/** Which administrators want messages; by default all do. */
export const wantedServerAlerts = (facts: FactStore) => {
  const unwanted = (): number[] => {
    const kept = facts.read(UNWANTED_KEY);
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'number') : [];
  };
  return {
    isWanted: (userId: number): boolean => !unwanted().includes(userId),
    set(userId: number, isWanted: boolean): void {
      const others = unwanted().filter((id) => id !== userId);
      facts.write(UNWANTED_KEY, isWanted ? others : [...others, userId]);
    },
  };
};

type Wanted = ReturnType<typeof wantedServerAlerts>;

const administrators = (db: Pick<Db, 'select'>): Pick<typeof users.$inferSelect, 'id' | 'username'>[] =>
  db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(and(eq(users.isAdmin, true), isNull(users.deletedAt)))
    .all();

/** Destinations of administrators who want messages and have a chat or device. */
export function administratorsSeen({ db, placesOf }: App, { isWanted }: Wanted): DestinationSeen[] {
  return administrators(db)
    .filter(({ id }) => isWanted(id))
    .flatMap(({ id, username }) => administratorSeen(username, placesOf(id)) ?? []);
}

const STATUSES_KEY = 'notices';
const CHECK_EVERY_MS = 60_000;
/** Delay of the first check after the start, ms. By then the sources have answered. */
const FIRST_CHECK_MS = 20_000;

type AlertMessage = {
  message: ChatMessage;
  /** Whether quiet hours may delay the message. */
  mayWait: boolean;
  /** A platform that may not work. It is used only for administrators who have no other. */
  avoid: MessagePlatform | undefined;
};

/** Checks the server every minute, and notifies administrators when a problem begins and ends. */
export class ServerAlerts {
  #statuses: Map<string, CheckStatus> | null = null;
  #hasChecked = false;
  #cancel: (() => void) | null = null;

  readonly #facts: FactStore;
  readonly #log: Log;

  constructor(
    private readonly app: App,
    private readonly wanted: Wanted,
    private readonly run: () => HealthCheck[],
  ) {
    this.#facts = factStore(app.db);
    this.#log = app.log.child('serverAlerts');
  }

  start(): void {
    this.#cancel ??= this.app.schedule(FIRST_CHECK_MS, () => this.#again());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** The server alerts of the last check, oldest first. */
  list(): ServerAlert[] {
    return counting(this.run(), this.#known()).map(({ check, status }) => ({
      key: check.key,
      title: check.title,
      detail: check.state === 'well' ? '' : check.detail,
      remedy: check.remedy,
      since: status.wrongSince,
      wellSince: status.wellSince,
      isUrgent: check.isUrgent,
    }));
  }

  /** Every check and its result; unchecked until the first run. */
  checks(): Check[] {
    const checks = this.run();
    const seen = this.#hasChecked
      ? checks
      : checks.map((check) => ({ ...check, state: 'unchecked' as const }));
    return checksOf(seen, new Set(this.list().map(({ key }) => key)));
  }

  /** Every check by its key, and whether it is a server alert. */
  status(): Record<string, boolean> {
    const listed = new Set(this.list().map(({ key }) => key));
    return Object.fromEntries(this.run().map(({ key }) => [key, listed.has(key)]));
  }

  /** Runs all checks. @throws the error of the database; the next run sends the messages */
  check(): void {
    const checks = this.run();
    const covered = new Set(checks.flatMap(({ state, stageOf }) => (state === 'wrong' ? [stageOf] : [])));
    for (const check of checks) this.#step(check, covered.has(check.key));
    this.#hasChecked = true;
    this.#forgetOthers(new Set(checks.map(({ key }) => key)));
  }

  #known(): Map<string, CheckStatus> {
    return (this.#statuses ??= readStatuses(this.#facts.read(STATUSES_KEY)));
  }

  /** @param isCovered true if a worse stage is reported instead */
  #step(check: HealthCheck, isCovered: boolean): void {
    const { publicUrl } = this.app.config;
    const now = this.app.clock.now();
    const was = this.#known().get(check.key) ?? null;
    const { status, news } = nextStatus(check, was, now);
    const next = new Map(this.#known());
    if (status === null) next.delete(check.key);
    else next.set(check.key, status);
    if (news === null) {
      this.#statuses = next;
      return;
    }
    const isOver = news === 'over';
    const isSilent = isOver ? check.stageOf !== undefined : isCovered;
    const { title, moreTitle = title, overTitle } = check;
    if (!isSilent)
      this.#log[isOver ? 'info' : 'warn']({ begin: title, more: moreTitle, over: overTitle }[news]);
    const messages = {
      begin: () => beginMessage(check, publicUrl),
      more: () => moreMessage(check, publicUrl),
      over: () => overMessage(check, was ?? { wrongSince: now }, now, publicUrl),
    };
    const message = { message: messages[news](), mayWait: !check.isUrgent };
    this.#keep(next, isSilent ? null : { ...message, avoid: isOver ? undefined : check.platform });
  }

  #keep(next: Map<string, CheckStatus>, message: AlertMessage | null): void {
    const write = (): void => this.#facts.write(STATUSES_KEY, Object.fromEntries(next));
    if (message === null) write();
    else this.#notify(message, write);
    this.#statuses = next;
  }

  /**
   * Writes a message to the chats and devices of the administrators who want it.
   * @param also runs in the same transaction; if it throws, no message is written
   */
  #notify({ message, mayWait, avoid }: AlertMessage, also: () => void): void {
    const { chatsOf, db, outbox } = this.app;
    db.transaction(
      (tx) => {
        also();
        for (const { id } of administrators(tx).filter((user) => this.wanted.isWanted(user.id))) {
          const all = chatsOf(id);
          const others = all.filter(({ platform }) => platform !== avoid);
          outbox.add(
            (others.length > 0 ? others : all).map((place) => ({
              ...place,
              userId: id,
              triggerId: null,
              mayWait,
              message,
            })),
          );
        }
      },
      { behavior: 'immediate' },
    );
    outbox.wake();
  }

  /** Deletes the status of checks that no longer exist, such as those of a disabled source. */
  #forgetOthers(keys: ReadonlySet<string>): void {
    const known = this.#known();
    const kept = new Map([...known].filter(([key]) => keys.has(key)));
    if (kept.size < known.size) this.#keep(kept, null);
  }

  #again(): void {
    try {
      this.check();
    } catch (error) {
      this.#log.error('Could not check the server for problems; trying again', { error });
    }
    this.#cancel = this.app.schedule(CHECK_EVERY_MS, () => this.#again());
  }
}
