import { minuteText } from '#lib/text.ts';
import { failed, ok, refuse, type Result } from '#lib/result.ts';
import { closingMinute, holidayName, isWeekend, type SpecialDay } from '#market/rules/tradingDay.ts';
import { addDays, fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import { formatDate, formatTime } from '#texts/format.ts';
import { plainLine } from '#texts/plainText.ts';

export const SPECIAL_DAY_KINDS = [
  'closed',
  'early',
  'normal',
] as const satisfies readonly SpecialDay['kind'][];
export const MAX_REASON = 80;
/** Limit of special days that have not passed. */
export const MAX_AHEAD = 50;
/** Closures are not announced further ahead, so a later date is a typing error. */
const MAX_DAYS_AHEAD = 731;

/** Range of an early close, HH:MM: after the open and before a usual close. */
const EARLIEST = '10:15';
const LATEST = '15:59';

const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
  addDays(text, 0) === text;

export function specialDayText({ kind, closesAt }: Pick<SpecialDay, 'kind' | 'closesAt'>): string {
  if (kind === 'closed') return 'Closed';
  return closesAt === null ? 'Usual trading day' : `Trading ends at ${closesAt}`;
}

/** A date by the calendar's rules: 'Closed: Christmas Day'; null for a usual day. */
export function ruleText(date: string): string | null {
  const holiday = holidayName(date);
  if (holiday !== null) return `Closed: ${holiday}`;
  const minute = closingMinute(date, null);
  return minute === null || minute === 16 * 60 ? null : `Trading ends at ${minuteText(minute)}`;
}

function checkTime(kind: SpecialDay['kind'], sent: unknown): Result<string | null> {
  if (kind !== 'early') return ok(null);
  const time = typeof sent === 'string' ? sent.trim() : '';
  const isTime = /^([01]\d|2[0-3]):[0-5]\d$/.test(time);
  return isTime && time >= EARLIEST && time <= LATEST
    ? ok(time)
    : refuse(`Enter a closing time from ${EARLIEST} to ${LATEST}, Sydney time.`, 'closesAt');
}

/** A reason if a special day equals the calendar's rules; otherwise null. */
export function redundancy(day: SpecialDay): string | null {
  const minute = closingMinute(day.date, day);
  if (minute !== closingMinute(day.date, null)) return null;
  if (minute === null) return `The market is already closed on that day: ${holidayName(day.date)}.`;
  return minute === 16 * 60
    ? 'That is already a usual trading day.'
    : `Trading already ends at ${minuteText(minute)} on that day.`;
}

/** Checks a special day, but not whether its date has passed. @returns a refusal names the member at fault */
export function checkSpecialDay(sent: {
  date?: unknown;
  kind?: unknown;
  closesAt?: unknown;
  reason?: unknown;
}): Result<SpecialDay> {
  const date = typeof sent.date === 'string' ? sent.date.trim() : '';
  if (!isDate(date)) return refuse('Enter a date as YYYY-MM-DD.', 'date');
  if (isWeekend(date)) return refuse('The market never trades on Saturdays and Sundays.', 'date');
  const kind = SPECIAL_DAY_KINDS.find((one) => one === sent.kind);
  if (kind === undefined) return refuse('Choose closed, early or normal.', 'kind');
  const closesAt = checkTime(kind, sent.closesAt);
  if (!closesAt.ok) return closesAt;
  const reason = plainLine(typeof sent.reason === 'string' ? sent.reason : '', MAX_REASON);
  if (reason === '') return refuse('Enter a reason.', 'reason');
  return ok({ date, kind, closesAt: closesAt.value, reason });
}

const instantOf = (date: string, minute: number): number =>
  fromSydney(date, Math.floor(minute / 60), minute % 60);

/**
 * Why it is too late to change a date: it has passed, its session has begun (07:00), or trading has ended.
 * @param date YYYY-MM-DD
 * @param before its current rule, null for the calendar's
 * @param after its new rule
 * @param now epoch ms: the later of the wall clock and the market's clock
 */
export function lateProblem(
  date: string,
  { before, after }: { before: SpecialDay | null; after: SpecialDay | null },
  now: number,
): string | null {
  const today = sydneyDate(now);
  if (date < today) return `${formatDate(date)} is in the past. Past days cannot be changed.`;
  if (date > addDays(today, MAX_DAYS_AHEAD)) return 'Enter a date within the next two years.';
  if (date > today || now < fromSydney(date, 7, 0)) return null;
  const [closed, closes] = [closingMinute(date, before), closingMinute(date, after)];
  // A day that was closed by mistake may still open late.
  if (closed === null || closed === closes) return null;
  if (closes === null) return 'That day’s session has begun (07:00). Enter an early close or a later date.';
  if (now >= instantOf(date, closed)) return 'Trading on that day has ended.';
  if (now >= instantOf(date, closes))
    return `Enter a later closing time: it is ${formatTime(now)} in Sydney.`;
  return null;
}

const FORM =
  'must be days like "2026-12-01 closed Storm; 2026-12-24 14:10 Christmas Eve; 2027-06-14 open Trial"';
const MAX_DAYS = 4 * MAX_AHEAD;

/** Parses 'date closed', 'date open' (a usual day instead of a holiday) or 'date HH:MM', and the reason. */
function dayOf(text: string): Result<SpecialDay, string> {
  const [, date, word = '', reason] = /^(\S{1,20})\s{1,9}(\S{1,20})\s{1,9}(.{1,200})$/.exec(text) ?? [];
  if (date === undefined) return failed(FORM);
  const lower = word.toLowerCase();
  const kind = lower === 'closed' ? 'closed' : lower === 'open' ? 'normal' : 'early';
  const checked = checkSpecialDay({ date, kind, closesAt: word, reason });
  return checked.ok
    ? checked
    : failed(`has an invalid day, "${text}": ${checked.error.message.replace(/\.$/, '')}`);
}

/** Parses `BELLBIRD_MARKET_CLOSURES`. An error continues a sentence that starts with the setting's name. */
export function parseClosures(raw: string): Result<readonly SpecialDay[], string> {
  const texts = raw
    .split(/[;\n]/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
  if (texts.length > MAX_DAYS) return failed(`may have at most ${MAX_DAYS} days`);
  const days: SpecialDay[] = [];
  for (const text of texts) {
    const day = dayOf(text);
    if (!day.ok) return day;
    if (days.some(({ date }) => date === day.value.date)) return failed(`names ${day.value.date} twice`);
    days.push(day.value);
  }
  return ok(days);
}
