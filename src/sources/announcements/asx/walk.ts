import type { PollFailure } from '#lib/httpClient/pollLoop.ts';
import type { ListAnswer } from './item.ts';
import type { ListMemory, Look } from './listMemory.ts';
import type { Release } from '../source.ts';

export type FetchedPage = Extract<ListAnswer, { kind: 'list' }> | PollFailure;

export type WalkOptions = {
  /** How far: to the first announcement that is known, or always to `from`. */
  depth: 'known' | 'whole';
  /** The walk ends at what was released before this, epoch ms. */
  from: number;
  /** What is older than this is left out, epoch ms; at most `from`. */
  keepFrom: number;
  /** Asks for a page, counted from 0; never rejects. */
  fetchPage(page: number): Promise<FetchedPage>;
  memory: Pick<ListMemory, 'take' | 'drop' | 'size'>;
  /** Takes what is new or changed of a page, at once: what was fetched is not lost with a later page. */
  apply(releases: readonly Release[]): void;
};

/** A walk that came to its end: what it saw, and how many pages that took. */
export type WalkResult = { kind: 'walked'; look: Look; pages: number } | PollFailure;

/** Twenty of a hundred announcements are the two busiest days; many more pages are another list than the one known. */
const MAX_PAGES = 120;
/** The two busiest days are 2,000 announcements. */
const MAX_SEEN = 10_000;
/** What looks that failed have left is counted too: a list that is another one at each look must fill no memory. */
const MAX_KNOWN = 2 * MAX_SEEN;
/** New announcements push others to the next page, but never all of a page. */
const MAX_REPEATED_PAGES = 2;

/** Of a look that saw nothing yet. */
const NOTHING = { from: Number.POSITIVE_INFINITY, newest: Number.NEGATIVE_INFINITY };

const TOO_MANY = `lists more than ${MAX_SEEN} announcements of two days`;

const failure = (reason: string): PollFailure => ({ kind: 'failed', reason, retryAfterMs: null });

/** The end of the list, as far as it may be believed: all that there is was given. */
function walkedToEnd(end: {
  look: Look;
  page: number;
  given: number;
  total: number | null;
  isKnownEmpty: boolean;
}): WalkResult {
  const { look, page, given, total, isKnownEmpty } = end;
  if (page === 0 && !(total === 0 && isKnownEmpty)) return failure('sent an empty list of announcements');
  if (total !== null && given < total) return failure('ended its list early');
  return { kind: 'walked', look, pages: page + 1 };
}

/** What could not be kept comes again with the next look. */
function applySafely({ memory, apply }: WalkOptions, releases: readonly Release[]): void {
  try {
    apply(releases);
  } catch (error) {
    memory.drop(releases.map(({ id }) => id));
    throw error;
  }
}

/**
 * Reads the list page by page, newest first. While it is read, new announcements push others to the next page, where they
 * come a second time: nothing is lost by that, and each counts once.
 * @returns what was seen; a failure when the list ended early or repeats itself
 */
export async function walkList(options: WalkOptions): Promise<WalkResult> {
  const { depth, from, keepFrom, fetchPage, memory } = options;
  const look: Look & { ids: Set<string> } = { ids: new Set(), ...NOTHING };
  let given = 0;
  let repeatedPages = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const fetched = await fetchPage(page);
    if (fetched.kind === 'failed') return fetched;
    if (memory.size() >= MAX_KNOWN) return failure(TOO_MANY);
    given += fetched.given;
    const { items, total } = fetched;
    const last = items.at(-1);
    if (last === undefined)
      return walkedToEnd({ look, page, given, total, isKnownEmpty: memory.size() === 0 });
    const { releases, ids, meetsKnown } = memory.take(items.filter(({ time }) => time >= keepFrom));
    const before = look.ids.size;
    for (const id of ids) look.ids.add(id);
    look.newest = items.reduce((latest, { time }) => Math.max(latest, time), look.newest);
    look.from = Math.min(look.from, last.time);
    if (releases.length > 0) applySafely(options, releases);
    if (last.time < from) look.from = from - 1;
    if (last.time < from || (depth === 'known' && meetsKnown))
      return { kind: 'walked', look, pages: page + 1 };
    const isRepeated = look.ids.size === before;
    // A server that has no more than one page gives it for each.
    if (isRepeated && total !== null && look.ids.size >= total)
      return { kind: 'walked', look, pages: page + 1 };
    repeatedPages = isRepeated ? repeatedPages + 1 : 0;
    if (repeatedPages >= MAX_REPEATED_PAGES) return failure('sent the same page again and again');
    if (look.ids.size > MAX_SEEN) return failure(TOO_MANY);
  }
  return failure(`sent a list of more than ${MAX_PAGES} pages`);
}
