/** A message behind those in the queue. Times are readings of the stopwatch. */
export type QueuedMessage = { id: number; chatId: string; expiresAt: number; notBefore: number };

const COMPACT_AT = 4096;
const REMOVED = 0;
const NONE = -1;
const MAPS = 128;

/**
 * Messages in order, up to a hundred thousand. They are columns of numbers, because garbage collection of that
 * many objects would block the event loop for tens of milliseconds.
 */
export class Backlog {
  readonly #chatIds: string[] = [];
  readonly #ids: number[] = [];
  readonly #expiresAt: number[] = [];
  readonly #notBefore: number[] = [];
  /** The position of the chat's previous message, counted from the first ever. */
  readonly #previous: number[] = [];
  /** Position of each chat's last message, in small maps, because growing a large one blocks the loop. */
  readonly #lastOf = Array.from({ length: MAPS }, () => new Map<string, number>());
  #base = 0;
  #removed = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add({ id, chatId, expiresAt, notBefore }: QueuedMessage): void {
    const place = this.#base + this.#ids.length;
    const places = this.#placesOf(chatId);
    this.#previous.push(places.get(chatId) ?? NONE);
    places.set(chatId, place);
    this.#chatIds.push(chatId);
    this.#ids.push(id);
    this.#expiresAt.push(expiresAt);
    this.#notBefore.push(notBefore);
    this.#size += 1;
  }

  /** When the first expires; infinity if there is none. */
  nextGivenUp(): number {
    this.#skipRemoved();
    return this.#expiresAt[this.#removed] ?? Number.POSITIVE_INFINITY;
  }

  take(): QueuedMessage | undefined {
    this.#skipRemoved();
    const found = this.#takeAt(this.#removed);
    if (!found) return undefined;
    const places = this.#placesOf(found.chatId);
    if (places.get(found.chatId) === this.#base + this.#removed) places.delete(found.chatId);
    this.#removed += 1;
    if (this.#removed >= COMPACT_AT && this.#removed * 2 >= this.#ids.length) this.#compact();
    return found;
  }

  takeAllOf(chatId: string): QueuedMessage[] {
    const found: QueuedMessage[] = [];
    const places = this.#placesOf(chatId);
    let place = places.get(chatId) ?? NONE;
    while (place >= this.#base + this.#removed) {
      const at = place - this.#base;
      const one = this.#takeAt(at);
      if (one) found.unshift(one);
      place = this.#previous[at] ?? NONE;
    }
    places.delete(chatId);
    return found;
  }

  #placesOf(chatId: string): Map<string, number> {
    const last = chatId.length - 1;
    const which =
      (chatId.charCodeAt(last) * 31 + chatId.charCodeAt(last - 1) * 7 + chatId.charCodeAt(last - 2)) % MAPS;
    const [first] = this.#lastOf;
    const places = this.#lastOf[which] ?? first;
    if (!places) throw new Error('The backlog has no map.');
    return places;
  }

  #takeAt(at: number): QueuedMessage | undefined {
    const [id, chatId] = [this.#ids[at], this.#chatIds[at]];
    if (id === undefined || chatId === undefined || id === REMOVED) return undefined;
    this.#ids[at] = REMOVED;
    this.#size -= 1;
    return { id, chatId, expiresAt: this.#expiresAt[at] ?? 0, notBefore: this.#notBefore[at] ?? 0 };
  }

  #skipRemoved(): void {
    while (this.#ids[this.#removed] === REMOVED) this.#removed += 1;
  }

  #compact(): void {
    for (const column of [this.#chatIds, this.#ids, this.#expiresAt, this.#notBefore, this.#previous]) {
      column.splice(0, this.#removed);
    }
    this.#base += this.#removed;
    this.#removed = 0;
  }
}
