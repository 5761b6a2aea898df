import type { Log } from '#lib/log.ts';

const MAX_WAITING = 1000;
const MAX_WAITING_WITH_PRESSES = 2000;
/** More messages than can be answered in a minute would delay other chats. */
const MAX_WAITING_A_CHAT = 60;
const LAST_ANSWERS_MS = 2000;

/** Runs work in order within a chat, and concurrently between chats. */
export class ChatQueue {
  readonly #chats = new Map<string, { waiting: number; last: Promise<void> }>();
  readonly #asides = new Set<Promise<void>>();
  #waiting = 0;
  /** True from the first rejection until the queue is empty, so that it is logged once. */
  #isFlooded = false;

  constructor(private readonly log: Log) {}

  /**
   * Runs work after the earlier work of its chat, and logs its errors. A pressed button has extra room, because it
   * may turn an alert off.
   */
  run(chatId: string, work: () => Promise<void>, isButtonPress: boolean): void {
    if (this.#waiting >= (isButtonPress ? MAX_WAITING_WITH_PRESSES : MAX_WAITING)) return this.#leaveOut();
    const chat = this.#chats.get(chatId) ?? { waiting: 0, last: Promise.resolve() };
    if (chat.waiting >= MAX_WAITING_A_CHAT)
      return this.log.debug('Dropped a message because its chat has too many waiting');
    this.#chats.set(chatId, chat);
    this.#waiting += 1;
    chat.waiting += 1;
    chat.last = chat.last
      .then(() => this.#runLogged(work))
      .then(() => {
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#isFlooded = false;
        chat.waiting -= 1;
        if (chat.waiting === 0) this.#chats.delete(chatId);
      });
  }

  /** Runs work outside the order of the chat, and logs its errors. */
  readonly aside = (work: () => Promise<void>): void => {
    const done = this.#runLogged(work).then(() => void this.#asides.delete(done));
    this.#asides.add(done);
  };

  /** Resolves when nothing is left to do, at the latest after two seconds. */
  async lastAnswers(): Promise<void> {
    await Promise.race([this.#idle(), Bun.sleep(LAST_ANSWERS_MS)]);
  }

  size(): number {
    return this.#waiting + this.#asides.size;
  }

  async #idle(): Promise<void> {
    while (this.#chats.size + this.#asides.size > 0) {
      await Promise.all([...[...this.#chats.values()].map(({ last }) => last), ...this.#asides]);
    }
  }

  #leaveOut(): void {
    if (!this.#isFlooded) this.log.warn('Too many chats wait for answers; some messages are dropped');
    this.#isFlooded = true;
  }

  async #runLogged(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.log.warn('Could not answer a chat', { error });
    }
  }
}
