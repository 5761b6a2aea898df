import { factStore } from '#platform/db/facts.ts';
import {
  type DataGap,
  gapsUntil,
  cameAgain,
  type Coverage,
  MAX_DATA_GAPS,
  type UnseenSpan,
  unseenSpans,
} from './rules/coverage.ts';
import { isRecord } from '#lib/json.ts';
import type { App } from '#platform/app.ts';

/** A feed without prices for this long is silent; an active one sends several times a minute. */
const SILENT_MS = 60_000;
/** A polled feed is silent after this many intervals; a failed request is repeated earlier. */
const SILENT_INTERVALS = 2.5;

const NONE: readonly DataGap[] = [];

const isTime = (value: unknown): value is number => Number.isSafeInteger(value);

function readDays(kept: unknown): DataGap['days'] {
  if (!isRecord(kept)) return null;
  const { first, last } = kept;
  return typeof first === 'string' && typeof last === 'string' ? { first, last } : null;
}

function readCoverage(kept: unknown): Coverage | null {
  if (!isRecord(kept) || !isTime(kept['since']) || !isTime(kept['seen'])) return null;
  const spans: unknown[] = Array.isArray(kept['blind']) ? kept['blind'].slice(-MAX_DATA_GAPS) : [];
  const gaps = spans.flatMap((span): DataGap[] => {
    if (!isRecord(span) || !isTime(span['from']) || !isTime(span['until'])) return [];
    return [{ from: span['from'], until: span['until'], days: readDays(span['days']) }];
  });
  const starts = Array.isArray(kept['starts']) ? kept['starts'].filter(isTime) : [];
  return { since: kept['since'], seen: kept['seen'], blind: gaps, ...(starts.length > 0 && { starts }) };
}

/**
 * Records when prices arrive. It is stored with the bars, a few times per hour. After a kill, the time since
 * the last write counts as unseen.
 */
export class SeenTimes {
  private readonly source: App['source'];
  private readonly facts: ReturnType<typeof factStore>;
  private readonly key: string;
  private readonly maxSilenceMs: number;
  private coverage: Coverage | null = null;
  private saved: Coverage | null = null;
  private success: number | null;
  // Cached, because computing trading hours takes milliseconds and every chart needs them.
  private known: { of: Coverage | null; minute: number; spans: readonly DataGap[] } = {
    of: null,
    minute: Number.NaN,
    spans: [],
  };
  private hasCome = false;
  private firstAsked: number | null = null;
  private before: { since: number; blind: readonly DataGap[]; spans: readonly UnseenSpan[] } | null = null;

  constructor({ db, source }: App) {
    this.source = source;
    this.facts = factStore(db);
    this.key = `seen_times_${source.name}`;
    this.maxSilenceMs = Math.max(SILENT_MS, (source.everyMs ?? 0) * SILENT_INTERVALS);
    this.success = source.health().lastSuccess;
  }

  restore(): void {
    this.coverage = readCoverage(this.facts.read(this.key));
    this.saved = this.coverage;
  }

  update(): void {
    const { lastSuccess } = this.source.health();
    if (lastSuccess === null || lastSuccess === this.success) return;
    this.success = lastSuccess;
    this.coverage = cameAgain(this.coverage, this.source.clock.now(), this.maxSilenceMs, !this.hasCome);
    this.hasCome = true;
  }

  save(): void {
    if (!this.coverage || this.coverage === this.saved) return;
    this.facts.write(this.key, this.coverage);
    this.saved = this.coverage;
  }

  since(): number | null {
    return this.coverage?.since ?? null;
  }

  gaps(): readonly DataGap[] {
    const { coverage } = this;
    if (!coverage) return NONE;
    const now = this.source.clock.now();
    const minute = Math.floor(now / 60_000);
    if (this.known.of !== coverage || this.known.minute !== minute) {
      this.known = { of: coverage, minute, spans: gapsUntil(coverage, now, this.maxSilenceMs) };
    }
    return this.known.spans;
  }

  /**
   * The gaps, and the time before the first price, because some sources report only after their first batch.
   */
  unseen(): readonly UnseenSpan[] {
    this.firstAsked ??= this.source.clock.now();
    const since = this.since() ?? this.firstAsked;
    const gaps = this.gaps();
    if (this.before?.since !== since || this.before.blind !== gaps) {
      const spans = unseenSpans({ seen: since, ...this.coverage, since }, gaps, this.hasCome);
      this.before = { since, blind: gaps, spans };
    }
    return this.before.spans;
  }
}
