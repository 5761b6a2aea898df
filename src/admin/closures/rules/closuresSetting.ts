import { failed, ok, type Result } from '#lib/result.ts';
import type { SpecialDay } from '#market/rules/specialDays.ts';
import { checkSpecialDay, MAX_AHEAD } from './specialDayForm.ts';

const FORM =
  'must be days like "2026-12-01 closed Storm; 2026-12-24 14:10 Christmas Eve; 2027-06-14 open Trial"';
/** As many as the settings of some years need. */
const MAX_DAYS = 4 * MAX_AHEAD;

/** One day: its date; closed, open (a usual day in the place of a holiday or a short one) or the time of an early close; the reason. */
function dayOf(text: string): Result<SpecialDay, string> {
  const [, date, word = '', reason] = /^(\S{1,20})\s{1,9}(\S{1,20})\s{1,9}(.{1,200})$/.exec(text) ?? [];
  if (date === undefined) return failed(FORM);
  const lower = word.toLowerCase();
  const kind = lower === 'closed' ? 'closed' : lower === 'open' ? 'normal' : 'early';
  const checked = checkSpecialDay({ date, kind, closesAt: word, reason });
  return checked.ok
    ? checked
    : failed(`has a day that can't be taken, "${text}": ${checked.error.message.replace(/\.$/, '')}`);
}

/** The days of `BELLBIRD_MARKET_CLOSURES`; the error is the end of a sentence that begins with the setting's name. */
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
