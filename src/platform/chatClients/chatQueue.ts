import type { Log } from '#lib/log.ts';

/** More is not kept: anyone who is flooded like that can't be answered anyway. */
const MAX_WAITING = 1000;
const MAX_WAITING_WITH_PRESSES = 2000;
/** Of one chat; more than it is answered in a minute is of no use, and would keep the others out. */
const MAX_WAITING_A_CHAT = 60;
/** How long answers under way may hold up a stop. */
const LAST_ANSWERS_MS = 2000;

/** Work for chats: one after the other within a chat, chats side by side. */
export class ChatQueue {
  readonly #chats = new Map<string, { waiting: number; last: Promise<void> }>();
  readonly #asides = new Set<Promise<void>>();
  #waiting = 0;
  /** Somebody was left out since the queue was last empty: said once. */
  #isFlooded = false;

  /** @param log hears of work that failed or was left out */
  constructor(private readonly log: Log) {}

  /**
   * Runs work once what came before it in that chat is done; what it throws is logged. For a pressed button there is room
   * also while too much else waits: it may switch an alert off.
   */
  run(chatId: string, work: () => Promise<void>, isButtonPress: boolean): void {
    if (this.#waiting >= (isButtonPress ? MAX_WAITING_WITH_PRESSES : MAX_WAITING)) return this.#leaveOut();
    const chat = this.#chats.get(chatId) ?? { waiting: 0, last: Promise.resolve() };
    if (chat.waiting >= MAX_WAITING_A_CHAT) return this.log.debug('A chat asks faster than it is answered');
    this.#chats.set(chatId, chat);
    this.#waiting += 1;
    chat.waiting += 1;
    chat.last = chat.last
      .then(() => this.#guarded(work))
      .then(() => {
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#isFlooded = false;
        chat.waiting -= 1;
        if (chat.waiting === 0) this.#chats.delete(chatId);
      });
  }

  /** Runs work beside what the chat does next; what it throws is logged. Handed on alone. */
  readonly aside = (work: () => Promise<void>): void => {
    const done = this.#guarded(work).then(() => void this.#asides.delete(done));
    this.#asides.add(done);
  };

  /** Resolves when nothing is left to do, or after two seconds: for a stop. */
  async lastAnswers(): Promise<void> {
    await Promise.race([this.#idle(), Bun.sleep(LAST_ANSWERS_MS)]);
  }

  /** How much waits or is under way. */
  size(): number {
    return this.#waiting + this.#asides.size;
  }

  async #idle(): Promise<void> {
    while (this.#chats.size + this.#asides.size > 0) {
      await Promise.all([...[...this.#chats.values()].map(({ last }) => last), ...this.#asides]);
    }
  }

  #leaveOut(): void {
    if (!this.#isFlooded) this.log.warn('Too many chats wait for answers; some are left out');
    this.#isFlooded = true;
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.log.warn('A chat could not be answered', { error });
    }
  }
}
