import { MINUTE_MS } from '#lib/units.ts';
import type { JsonRecord } from '#lib/json.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { isPlainLine } from '#lib/text.ts';
import { checkScanFilters, type FilterList } from '#market/scanners/rules/filters.ts';
import {
  ANNOUNCEMENT_KINDS,
  type AnnouncementKind,
  KIND_LABELS,
  kindsOf,
} from '#subjects/announcements/rules/announcementKind.ts';
import { searchWords } from '#subjects/announcements/rules/searchWords.ts';
import type { KeptAnnouncement } from '#subjects/announcements/rules/stockNews.ts';
import type { ScanScope } from '#subjects/alerts/answers/options.ts';
import type { WatchedNews } from '#subjects/alerts/answers/scanAlert.ts';
import type { Announced, ScanTrigger } from './scanAlert.ts';

const MAX_WORDS = 10;
const MAX_WORD = 40;
export const MAX_TYPED_WORDS = MAX_WORDS * (MAX_WORD + 2);

const wrong = (message: string, field: string): Result<never> => refuse(message, `scan.${field}`);

function checkKinds(sent: unknown): Result<AnnouncementKind[]> {
  if (sent === undefined) return ok([]);
  const kinds = Array.isArray(sent) ? ANNOUNCEMENT_KINDS.filter((kind) => sent.includes(kind)) : [];
  return Array.isArray(sent) && kinds.length === new Set(sent).size
    ? ok(kinds)
    : wrong(`The types of announcements must be some of ${ANNOUNCEMENT_KINDS.join(', ')}.`, 'kinds');
}

function checkWords(sent: unknown): Result<string[]> {
  if (sent === undefined) return ok([]);
  if (!Array.isArray(sent) || sent.length > MAX_WORDS) {
    return wrong(`An alert can have up to ${MAX_WORDS} words or phrases.`, 'words');
  }
  const words: string[] = [];
  for (const one of sent as unknown[]) {
    const word = typeof one === 'string' ? one.trim() : '';
    if (word.length > MAX_WORD || !isPlainLine(word) || searchWords(word).length === 0) {
      return wrong(
        `Each word or phrase must have letters or digits, and at most ${MAX_WORD} characters.`,
        'words',
      );
    }
    words.push(word);
  }
  return ok([...new Set(words)]);
}

/** Checks the announcements that an alert watches. @param lists the owner's lists */
export function checkWatchedNews(sent: JsonRecord, lists: readonly FilterList[]): Result<WatchedNews> {
  const kinds = checkKinds(sent['kinds']);
  if (!kinds.ok) return kinds;
  const words = checkWords(sent['words']);
  if (!words.ok) return words;
  const filters = checkScanFilters('custom', sent['filters'], lists);
  if (!filters.ok) return filters;
  const { sensitiveOnly: _, lists: __, ...others } = filters.value ?? { minValue: 0 };
  if (Object.values(others).some(Boolean)) {
    return wrong('Announcements can only be filtered by `sensitiveOnly` and `lists`.', 'filters');
  }
  return ok({
    type: 'announcements',
    kinds: kinds.value,
    words: words.value,
    ...(filters.value && { filters: filters.value }),
  });
}

/** The words and phrases of a text field, separated by commas. */
export const phrasesOf = (typed: string): string[] =>
  typed
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');

/** Whether a phrase's words follow each other in a headline, as whole words in any case. */
function hasPhrase(headline: readonly string[], phrase: readonly string[]): boolean {
  return headline.some((_, at) => phrase.every((word, offset) => headline[at + offset] === word));
}

/** An announcement with everything that alerts compare. */
export type ComparedNews = {
  news: KeptAnnouncement;
  kinds: readonly AnnouncementKind[];
  words: readonly string[];
};

export const comparedNews = (news: KeptAnnouncement): ComparedNews => ({
  news,
  kinds: kindsOf(news),
  words: searchWords(news.headline),
});

/** Compares everything but the stock, whose lists the dispatcher knows. */
export function matchesNews(scan: WatchedNews, { news, kinds, words }: ComparedNews): boolean {
  if (scan.filters?.sensitiveOnly && !news.isPriceSensitive) return false;
  if (scan.kinds.length > 0 && !scan.kinds.some((kind) => kinds.includes(kind))) return false;
  return scan.words.length === 0 || scan.words.some((phrase) => hasPhrase(words, searchWords(phrase)));
}

/** A document that is listed again under another id keeps about its time. A second trading halt comes later. */
const AGAIN_MS = 15 * MINUTE_MS;

type NamedNews = Pick<Announced, 'id' | 'code' | 'headline' | 'time'>;

/** What a user was notified of. A correction keeps the id of its document. */
export class ReportedNews {
  private readonly ids = new Set<string>();
  private readonly times = new Map<string, number>();

  add({ id, time, ...named }: NamedNews): void {
    this.ids.add(id);
    if (time !== undefined) this.times.set(nameOf(named), time);
  }

  has({ id, time = Number.NaN, ...named }: NamedNews): boolean {
    return this.ids.has(id) || Math.abs(time - (this.times.get(nameOf(named)) ?? Number.NaN)) < AGAIN_MS;
  }
}

const nameOf = ({ code, headline }: Pick<NamedNews, 'code' | 'headline'>): string =>
  `${code} ${searchWords(headline).join(' ')}`;

export const announcedOf = ({
  id,
  code,
  headline,
  isPriceSensitive,
  url,
  date,
  time,
}: KeptAnnouncement): Announced => ({
  id,
  code,
  headline,
  isPriceSensitive,
  url,
  date,
  time,
});

/** A summary of a single announcement reads like the announcement itself. */
export function asSingle(trigger: ScanTrigger): ScanTrigger {
  const [only, ...others] = trigger.announcements ?? [];
  return only === undefined || others.length > 0 ? trigger : { ...trigger, symbol: only.code, symbols: [] };
}

const either = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;

const quoted = (text: string): string => `“${text}”`;

/** Within a sentence: 'price-sensitive announcements (trading halt or takeover, with “gold”)'. */
export function newsLabel({ kinds, words, filters }: WatchedNews): string {
  const named = either(kinds.map((kind) => KIND_LABELS[kind].toLowerCase()));
  const parts = [named, words.length > 0 && `with ${either(words.map(quoted))}`].filter(Boolean);
  const what = filters?.sensitiveOnly ? 'price-sensitive announcements' : 'announcements';
  return parts.length === 0 ? what : `${what} (${parts.join(', ')})`;
}

/** 'of my lists', 'of my list “Gold”', 'of any stock'. */
export function newsStocks({ filters }: WatchedNews, scope: ScanScope): string {
  const lists = filters?.lists;
  if (lists === undefined || lists === 'all') {
    return scope === 'market' && lists === undefined ? 'of any stock' : 'of my lists';
  }
  return `of my ${lists.length === 1 ? 'list' : 'lists'} ${either(lists.map(({ name }) => quoted(name)))}`;
}
