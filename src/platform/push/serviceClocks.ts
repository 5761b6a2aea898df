import type { SystemClock } from '#lib/clock.ts';
import type { PushService } from './rules/pushService.ts';

/** A clock that was set since by more than this makes an older reading worthless. */
const STEP_MS = 60_000;

/** What the push services' answers say of the time, to find out that this server's clock is wrong. */
export class ServiceClocks {
  /** By service: its time, and this server's, each less the stopwatch at that moment. */
  readonly #heard = new Map<PushService, { theirs: number; ours: number }>();

  constructor(private readonly clock: SystemClock) {}

  /** @param time that the service's answer states, epoch ms */
  heard(service: PushService, time: number): void {
    const reading = this.clock.monotonic();
    this.#heard.set(service, { theirs: time - reading, ours: this.clock.now() - reading });
  }

  /** How far this server's clock is ahead of each service's, ms; negative if it is behind. */
  ahead(): number[] {
    const offset = this.clock.now() - this.clock.monotonic();
    return [...this.#heard.values()].flatMap(({ theirs, ours }) => {
      const ahead = offset - theirs;
      // Also a machine that slept: its stopwatch stood still.
      const wasSet = Math.abs(offset - ours) > STEP_MS;
      return wasSet && Math.abs(ahead) > STEP_MS ? [] : [ahead];
    });
  }
}
