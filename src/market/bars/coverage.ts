import { factStore } from '../../platform/db/facts.ts';
import type { Db } from '../../platform/db/open.ts';
import { type BlindSpan, blindUntil, cameAgain, type Coverage, MAX_BLIND_SPANS } from './rules/coverage.ts';
import type { Clock } from '../../lib/clock.ts';
import { isRecord } from '../../lib/json.ts';
import type { MarketSource } from '../../sources/quotes/source.ts';

/** What is known of when a source's prices came, over restarts too. */
export type SeenTimes = {
  restore(): void;
  /** Looks whether prices came since the last call. */
  look(): void;
  /** Writes it down, with the bars that it speaks of. */
  save(): void;
  /** Since when prices are known, epoch ms; null while none came. */
  since(): number | null;
  /** The stretches without prices, in trading hours, oldest first. */
  blind(): readonly BlindSpan[];
};

export type SeenTimesDeps = {
  db: Db;
  source: Pick<MarketSource, 'name' | 'health' | 'everyMs'>;
  /** The market's clock. */
  clock: Clock;
};

/** A feed in use brings something several times a minute, or as often as it asks for it. */
const SILENT_MS = 60_000;
/** A request that failed is made again before so many of its intervals are over. */
const SILENT_INTERVALS = 2.5;

const isTime = (value: unknown): value is number => Number.isSafeInteger(value);

function readDays(kept: unknown): BlindSpan['days'] {
  if (!isRecord(kept)) return null;
  const { first, last } = kept;
  return typeof first === 'string' && typeof last === 'string' ? { first, last } : null;
}

function readCoverage(kept: unknown): Coverage | null {
  if (!isRecord(kept) || !isTime(kept['since']) || !isTime(kept['seen'])) return null;
  const spans: unknown[] = Array.isArray(kept['blind']) ? kept['blind'].slice(-MAX_BLIND_SPANS) : [];
  const blind = spans.flatMap((span): BlindSpan[] => {
    if (!isRecord(span) || !isTime(span['from']) || !isTime(span['until'])) return [];
    return [{ from: span['from'], until: span['until'], days: readDays(span['days']) }];
  });
  return { since: kept['since'], seen: kept['seen'], blind };
}

/**
 * Takes note of when prices come. What it writes goes with the bars, a few times an hour: of the minutes after the last
 * writing nothing is left when the process is killed, and just these count as not seen then.
 */
export function createSeenTimes({ db, source, clock }: SeenTimesDeps): SeenTimes {
  const facts = factStore(db);
  const key = `seen_times_${source.name}`;
  const maxSilenceMs = Math.max(SILENT_MS, (source.everyMs ?? 0) * SILENT_INTERVALS);
  let coverage: Coverage | null = null;
  let success = source.health().lastSuccess;
  let saved: Coverage | null = null;
  // The calendar costs some milliseconds, and all charts ask.
  let known: { of: Coverage | null; minute: number; spans: readonly BlindSpan[] } = {
    ...{ of: null, minute: Number.NaN, spans: [] },
  };

  function blindNow(of: Coverage): readonly BlindSpan[] {
    const now = clock.now();
    const minute = Math.floor(now / 60_000);
    if (known.of !== of || known.minute !== minute) {
      known = { of, minute, spans: blindUntil(of, now, maxSilenceMs) };
    }
    return known.spans;
  }

  return {
    restore() {
      coverage = readCoverage(facts.read(key));
      saved = coverage;
    },
    look() {
      const { lastSuccess } = source.health();
      if (lastSuccess === null || lastSuccess === success) return;
      success = lastSuccess;
      coverage = cameAgain(coverage, clock.now(), maxSilenceMs);
    },
    save() {
      if (!coverage || coverage === saved) return;
      facts.write(key, coverage);
      saved = coverage;
    },
    since: () => coverage?.since ?? null,
    blind: () => (coverage ? blindNow(coverage) : []),
  };
}
