import type { App } from '#platform/app.ts';
import { and, eq, isNull } from 'drizzle-orm';
import type { Log } from '#lib/log.ts';
import { type FactStore, factStore } from '#platform/db/facts.ts';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { MessagePlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import type { Notice } from '../answers/notices.ts';
import { type Check, checksOf, type Concern } from '../rules/concern.ts';
import { administratorSeen, type DestinationSeen } from '../rules/serviceConcerns.ts';
import {
  beginMessage,
  counting,
  moreMessage,
  overMessage,
  readStandings,
  type Standing,
  stepStanding,
} from '../rules/standing.ts';

/** The ids of administrators who turned messages off. */
const UNWANTED_KEY = 'notices_unwanted';

/** By default administrators get messages. */
export const wantedNotices = (facts: FactStore) => {
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

type Wanted = ReturnType<typeof wantedNotices>;

const administrators = (db: Pick<Db, 'select'>): Pick<typeof users.$inferSelect, 'id' | 'username'>[] =>
  db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(and(eq(users.isAdmin, true), isNull(users.deletedAt)))
    .all();

/** The places of administrators who want messages and have a chat or device. */
export function administratorsSeen({ db, placesOf }: App, { isWanted }: Wanted): DestinationSeen[] {
  return administrators(db)
    .filter(({ id }) => isWanted(id))
    .flatMap(({ id, username }) => administratorSeen(username, placesOf(id)) ?? []);
}

const STANDINGS_KEY = 'notices';
const LOOK_EVERY_MS = 60_000;
/** The sources have answered before. */
const FIRST_LOOK_MS = 20_000;

type Told = {
  message: ChatMessage;
  /** Whether quiet hours may delay it. */
  mayWait: boolean;
  /** A platform that may not work. It is used only for administrators who have no other. */
  avoid: MessagePlatform | undefined;
};

/** Checks the host every minute, and notifies administrators when a problem begins and ends. */
export class Notices {
  #standings: Map<string, Standing> | null = null;
  #hasLooked = false;
  #cancel: (() => void) | null = null;

  readonly #facts: FactStore;
  readonly #log: Log;

  constructor(
    private readonly app: App,
    private readonly wanted: Wanted,
    private readonly concerns: () => Concern[],
  ) {
    this.#facts = factStore(app.db);
    this.#log = app.log.child('notices');
  }

  start(): void {
    this.#cancel ??= this.app.schedule(FIRST_LOOK_MS, () => this.#again());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** The problems of the last check, the oldest first. */
  list(): Notice[] {
    return counting(this.concerns(), this.#known()).map(({ concern, standing }) => ({
      key: concern.key,
      title: concern.title,
      detail: concern.state === 'well' ? '' : concern.detail,
      remedy: concern.remedy,
      since: standing.wrongSince,
      wellSince: standing.wellSince,
      isUrgent: concern.isUrgent,
    }));
  }

  /** Every check and its result. All are unchecked until the first run. */
  checks(): Check[] {
    const concerns = this.concerns();
    const seen = this.#hasLooked
      ? concerns
      : concerns.map((concern) => ({ ...concern, state: 'unchecked' as const }));
    return checksOf(seen, new Set(this.list().map(({ key }) => key)));
  }

  /** Every concern by its key, and whether it is listed. */
  standing(): Record<string, boolean> {
    const listed = new Set(this.list().map(({ key }) => key));
    return Object.fromEntries(this.concerns().map(({ key }) => [key, listed.has(key)]));
  }

  /** @throws the error of the database; the next check sends the message */
  look(): void {
    const concerns = this.concerns();
    const covered = new Set(concerns.flatMap(({ state, stageOf }) => (state === 'wrong' ? [stageOf] : [])));
    for (const concern of concerns) this.#step(concern, covered.has(concern.key));
    this.#hasLooked = true;
    this.#forgetOthers(new Set(concerns.map(({ key }) => key)));
  }

  #known(): Map<string, Standing> {
    return (this.#standings ??= readStandings(this.#facts.read(STANDINGS_KEY)));
  }

  /** @param isCovered a worse stage is reported instead */
  #step(concern: Concern, isCovered: boolean): void {
    const { publicUrl } = this.app.config;
    const now = this.app.clock.now();
    const was = this.#known().get(concern.key) ?? null;
    const { standing, tell } = stepStanding(concern, was, now);
    const next = new Map(this.#known());
    if (standing === null) next.delete(concern.key);
    else next.set(concern.key, standing);
    if (tell === null) {
      this.#standings = next;
      return;
    }
    const isOver = tell === 'over';
    const isSilent = isOver ? concern.stageOf !== undefined : isCovered;
    const { title, moreTitle = title, overTitle } = concern;
    if (!isSilent)
      this.#log[isOver ? 'info' : 'warn']({ begin: title, more: moreTitle, over: overTitle }[tell]);
    const messages = {
      begin: () => beginMessage(concern, publicUrl),
      more: () => moreMessage(concern, publicUrl),
      over: () => overMessage(concern, was ?? { wrongSince: now }, now, publicUrl),
    };
    const told = { message: messages[tell](), mayWait: !concern.isUrgent };
    this.#keep(next, isSilent ? null : { ...told, avoid: isOver ? undefined : concern.platform });
  }

  #keep(next: Map<string, Standing>, told: Told | null): void {
    const write = (): void => this.#facts.write(STANDINGS_KEY, Object.fromEntries(next));
    if (told === null) write();
    else this.#tell(told, write);
    this.#standings = next;
  }

  /**
   * Writes a message to the chats and devices of the administrators who want it.
   * @param also runs in the same transaction; if it throws, no message is written
   */
  #tell({ message, mayWait, avoid }: Told, also: () => void): void {
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

  /** Forgets concerns that do not exist any more, such as those of a disabled source. */
  #forgetOthers(keys: ReadonlySet<string>): void {
    const known = this.#known();
    const kept = new Map([...known].filter(([key]) => keys.has(key)));
    if (kept.size < known.size) this.#keep(kept, null);
  }

  #again(): void {
    try {
      this.look();
    } catch (error) {
      this.#log.error('Could not check the server for problems; trying again', { error });
    }
    this.#cancel = this.app.schedule(LOOK_EVERY_MS, () => this.#again());
  }
}
