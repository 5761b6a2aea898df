import type { DayLine, DayLinesAnswer } from '../../../../../market/bars/rules/bars.ts';
import { DAY_LINE_SLOTS } from '../../../../../market/bars/rules/dayLine.ts';
import { readList, readNumber, readRecord, readText, readTime } from '../../../../../lib/read.ts';
import { readAnswer } from '../../../../../../web/api/client.ts';

function readLine(value: unknown): DayLine {
  const { previousClose, closes } = readRecord(value);
  const given: unknown[] = Array.isArray(closes) ? closes.slice(0, DAY_LINE_SLOTS) : [];
  return { previousClose: readNumber(previousClose), closes: given.map(readNumber) };
}

/** `GET /api/data/day-lines`. */
export function readDayLines(body: unknown): DayLinesAnswer {
  const { date, from, slotMinutes, lines, unknown } = readAnswer(body);
  const minutes = readNumber(slotMinutes) ?? 0;
  return {
    date: readText(date) ?? '',
    from: readTime(from) ?? 0,
    slotMinutes: minutes > 0 ? minutes : 5,
    lines: Object.fromEntries(
      Object.entries(readRecord(lines)).map(([code, line]) => [code, readLine(line)]),
    ),
    unknown: readList(unknown, (span) => {
      const [begins, ends] = [readTime(readRecord(span)['from']), readTime(readRecord(span)['until'])];
      return begins === null || ends === null ? null : { from: begins, until: ends };
    }),
  };
}
