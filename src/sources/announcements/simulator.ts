import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { AnnouncementSink, AnnouncementSource, Release } from './source.ts';

/** What the stocks of a simulated market announce on a day and on the trading day before it. */
export type PlannedAnnouncements = {
  /** The day, YYYY-MM-DD. */
  date: string;
  /** In an order that stays; more stocks may follow. The releases of each are in the order of time. */
  stocks: readonly {
    readonly plan: { readonly listing: { readonly code: string }; readonly releases: readonly Release[] };
  }[];
};

type SimulatedOptions = {
  /** Of the market that it belongs to: another seed has other announcements under the same ids. */
  name: string;
  /** The market's. */
  clock: Clock;
  wall: Clock;
  log: Log;
  /** Null while no day is planned. */
  planned(): PlannedAnnouncements | null;
};

const STEP_MS = 250;
/** Releases in one step, so that a day that begins late keeps nobody waiting. */
const MAX_A_STEP = 100;

const NONE_DUE = { releases: [], taken: () => {} };

/** Gives the releases of a planned day when their time has come, each once as long as the clock goes forward. */
class Releases {
  /** How many of each stock's are out. */
  #out: number[] = [];
  #date = '';
  #reached = Number.NEGATIVE_INFINITY;
  /** When the next one is due, epoch ms, of as many stocks as were looked through. */
  #nextAt = Number.NEGATIVE_INFINITY;
  #looked = 0;

  constructor(private readonly options: Pick<SimulatedOptions, 'clock' | 'planned'>) {}

  /** @returns those that are due, and what to call once they were taken */
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
    // Those that are not taken stay due.
    this.#nextAt = now;
    this.#looked = day?.stocks.length ?? 0;
    return {
      releases,
      taken: () => {
        this.#out = next;
        this.#nextAt = soonest;
      },
    };
  }

  /** Forgets what is out when the day is another one, or the clock went back. @returns whether any may be due */
  #mayBeDue(now: number, day: PlannedAnnouncements | null): boolean {
    const isAnother = day?.date !== this.#date || now < this.#reached;
    if (isAnother) this.#out = [];
    this.#date = day?.date ?? '';
    this.#reached = now;
    return isAnother || now >= this.#nextAt || day?.stocks.length !== this.#looked;
  }
}

/**
 * The announcements of a simulated market, on its own clock: the same seed has the same ones at the same time. They name
 * kinds of reports only; there are no documents.
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
      problem = 'The simulated announcements stopped by a fault of their own; the log tells more.';
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
