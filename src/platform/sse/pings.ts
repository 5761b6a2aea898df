/** Pings at a fixed pace while somebody listens, and besides once nothing was said for a while. */
export class Pings {
  #pings: ReturnType<typeof setInterval> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #here = false;
  #elsewhere = false;

  /** @param everyMs null never pings; @param quietMs how long nothing is said before it pings besides */
  constructor(
    private readonly everyMs: number | null,
    private readonly quietMs: number,
    private readonly ping: () => void,
  ) {}

  /** Whether there are clients here. */
  busy(hasClients: boolean): void {
    this.#here = hasClients;
    this.#follow();
  }

  /** Whether there are clients elsewhere, who hear what is said here. */
  busyElsewhere(hasClients: boolean): void {
    this.#elsewhere = hasClients;
    this.#follow();
  }

  /** Something was said. */
  said(): void {
    if (this.#pings) this.#expectWord();
  }

  #follow(): void {
    const isWanted = this.everyMs !== null && (this.#here || this.#elsewhere);
    if (isWanted === (this.#pings !== undefined)) return;
    clearInterval(this.#pings);
    clearTimeout(this.#quiet);
    this.#pings = isWanted ? setInterval(this.ping, this.everyMs ?? 0) : undefined;
    if (isWanted) this.#expectWord();
  }

  #expectWord(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(this.ping, this.quietMs);
  }
}
