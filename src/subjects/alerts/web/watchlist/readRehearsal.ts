import type { Firing, Rehearsal, RehearsedPeriod } from '../../rules/rehearsal.ts';
import { isRecord } from '../../../../lib/json.ts';
import {
  readBoolean,
  readChoice,
  readCount,
  readList,
  readNumber,
  readRecord,
  readText,
  readTime,
} from '../../../../lib/read.ts';
import { readAnswer } from '../../../../../web/api/client.ts';

const readPeriodName = readChoice<Firing['period']>(['minutes', 'days']);

function readFiring(value: unknown): Firing | null {
  const { at, price, period } = readRecord(value);
  const [time, known, name] = [readTime(at), readNumber(price), readPeriodName(period)];
  return time === null || known === null || name === null ? null : { at: time, price: known, period: name };
}

/** Times and closes go in pairs; a list without its other has nothing to draw. */
function readPeriod(value: unknown): RehearsedPeriod | null {
  if (!isRecord(value)) return null;
  const [from, to] = [readTime(value.from), readTime(value.to)];
  if (from === null || to === null) return null;
  const times = readList(value.times, readTime);
  const closes = readList(value.closes, readNumber);
  const isDrawn = times.length === closes.length;
  return {
    from,
    to,
    tradingDays: readCount(value.tradingDays) ?? 0,
    fired: readCount(value.fired) ?? 0,
    times: isDrawn ? times : [],
    closes: isDrawn ? closes : [],
  };
}

/** POST /alerts/rehearse. */
export function readRehearsal(body: unknown): Rehearsal {
  const answer = readAnswer(body);
  return {
    minutes: readPeriod(answer.minutes),
    days: readPeriod(answer.days),
    firings: readList(answer.firings, readFiring),
    perDay: readNumber(answer.perDay) ?? 0,
    busiestDay: readCount(answer.busiestDay) ?? 0,
    holdsNow: readBoolean(answer.holdsNow),
    tooOften: readBoolean(answer.tooOften) ?? false,
    notRehearsed: readList(answer.notRehearsed, readText),
  };
}
