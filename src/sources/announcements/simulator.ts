import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { AnnouncementSink, AnnouncementSource, Release } from '#market/sources/announcements.ts';

export type PlannedAnnouncements = {
  date: string;
  /** Stocks in a stable order; further ones may be appended. Releases are in time order. */
  stocks: readonly {
    readonly plan: { readonly listing: { readonly code: string }; readonly releases: readonly Release[] };
  }[];
};

type SimulatedOptions = {
  /** Depends on the seed, because another seed has other announcements under the same ids. */
  name: string;
  clock: Clock;
  wall: Clock;
  log: Log;
  planned(): PlannedAnnouncements | null;
};

const STEP_MS = 250;
/** Maximum releases per step, so that a late start in the day does not block the event loop. */
const MAX_A_STEP = 100;

const NONE_DUE = { releases: [], taken: () => {} };

/** Returns planned releases when they are due, each once while the clock goes forward. */
class Releases {
  #out: number[] = [];
  #date = '';
  #reached = Number.NEGATIVE_INFINITY;
  /** The next due release of the visited stocks, epoch ms. */
  #nextAt = Number.NEGATIVE_INFINITY;
  #polls = 0;

  constructor(private readonly options: Pick<SimulatedOptions, 'clock' | 'planned'>) {}

  /** @returns due releases, and a function to call once they are stored */
  due(): { releases: Release[]; taken: () => void } {
    const now = this.options.clock.now();
    const day = this.options.planned();
    if (!this.#mayBeDue(now, day)) return NONE_DUE;
    const releases: Release[] = [];
    const next = [...this.#out];
    let soonest = Number.POSITIVE_INFINITY;
    for (const [index, { plan }] of (day?.stocks ?? []).entries()) {
      let count = next[index] ?? 0;
      for (let one = plan.releases[count]; one && one.time <= now; one = plan.releases[count]) {
        if (releases.length >= MAX_A_STEP) break;
        releases.push(one);
        count += 1;
      }
      next[index] = count;
      soonest = Math.min(soonest, plan.releases[count]?.time ?? Number.POSITIVE_INFINITY);
    }
    this.#nextAt = now;
    this.#polls = day?.stocks.length ?? 0;
    return {
      releases,
      taken: () => {
        this.#out = next;
        this.#nextAt = soonest;
      },
    };
  }

  /** Starts again on another day or if the clock went back. @returns whether any may be due */
  #mayBeDue(now: number, day: PlannedAnnouncements | null): boolean {
    const isAnother = day?.date !== this.#date || now < this.#reached;
    if (isAnother) this.#out = [];
    this.#date = day?.date ?? '';
    this.#reached = now;
    return isAnother || now >= this.#nextAt || day?.stocks.length !== this.#polls;
  }
}

/**
 * Announcements of a simulated market on its own clock, the same for the same seed. They name only kinds of
 * reports, without documents.
 */
export function createSimulatedAnnouncements(options: SimulatedOptions): AnnouncementSource {
  const { name, clock, wall, log } = options;
  const waiting = new Releases(options);
  let timer: ReturnType<typeof setInterval> | undefined;
  let lastSuccess: number | null = null;
  let problem: string | null = null;

  function step(sink: AnnouncementSink): void {
    try {
      const { releases, taken } = waiting.due();
      if (releases.length > 0) sink.apply(releases);
      taken();
      if (releases.length === 0) return;
      lastSuccess = wall.now();
      problem = null;
    } catch (error) {
      if (problem === null) log.error('A step of the simulated announcements failed', { error });
      problem = 'The simulated announcements stopped because of an error. See the log.';
    }
  }

  return {
    name,
    clock,
    label: () => 'Simulated',
    async start(sink) {
      timer ??= setInterval(() => step(sink), STEP_MS);
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
    },
    health: () => ({ healthy: problem === null, problem, lastSuccess }),
  };
}
