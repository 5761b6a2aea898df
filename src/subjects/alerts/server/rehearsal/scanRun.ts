import { OperandColumns } from '../../rules/operandColumns.ts';
import { Program } from '../../rules/program.ts';
import { rehearsable, periodsOf } from '../../rules/rehearsable.ts';
import { dateOf } from '../../../../market/rules/localTime.ts';
import type { Stock } from '../../../../market/rules/stock.ts';
import { ScanRehearsalRun, isInBarsOf, type RehearsedScan } from '../../rules/scanAlerts/scanRehearsal.ts';
import type { ScanRehearsal } from '../../rules/scanAlerts/scanTrigger.ts';
import { createReplay } from '../../../../market/indicators/replay.ts';
import { throughDays } from './moments.ts';
import {
  computableIn,
  earlierDays,
  isIntraday,
  KNOWN_DAYS,
  planOf,
  type RunDeps,
  type Steps,
} from './run.ts';

/** The market's trading days that are run, the same for every stock. */
const SCAN_DAYS = 20;

export type ScanRunDeps = Omit<RunDeps, 'holdsNow'> & { stockOf(code: string): Stock | null };

/** What bars tell of the conditions, and sentences about the rest. */
function toldOf({ catalog, scanOf }: Pick<RunDeps, 'catalog' | 'scanOf'>, { logic, scanner }: RehearsedScan) {
  if (scanner !== null) return isInBarsOf(scanner) ? { logic, sentences: [] } : null;
  const split = rehearsable(logic, { catalog, scanOf, canCompute: computableIn(catalog) });
  const { periods, sentences } = periodsOf(split, false);
  const isRun = periods.includes('days');
  const named = sentences.filter((sentence) => !sentence.startsWith('This price source has no minute bars'));
  return { logic: isRun ? split.logic : null, sentences: named };
}

/** Runs an alert on a scan over the days of every stock, in short steps. */
export function* rehearseScan(deps: ScanRunDeps, scan: RehearsedScan): Steps<ScanRehearsal> {
  const told = toldOf(deps, scan);
  const run = new ScanRehearsalRun(scan, dateOf);
  if (told === null)
    return run.result(['Past bars don’t include the auction before the open, so this can’t be backtested.']);
  if (told.logic === null) return run.result(told.sentences);
  const plan = planOf(told.logic, deps);
  const columns = new OperandColumns();
  const program = new Program(columns);
  const span = program.add(told.logic);
  const used = program.columnsOf(span);
  const count =
    SCAN_DAYS + (plan.frames.length > 0 ? KNOWN_DAYS : 1) + earlierDays(plan, (key) => !isIntraday(key));
  const from = deps.past.since(SCAN_DAYS);
  for (const code of scan.codes) {
    const live = deps.stockOf(code);
    const days = deps.past.days(code, count);
    yield;
    if (!live || days.length === 0) continue;
    program.forget(span.first, span.count);
    run.begin(code, told.logic);
    const { marketCap, marketCapCategory, sector } = live;
    const way = { replay: createReplay(plan), from };
    yield* throughDays({ code, days }, way, (stock, at, day) => {
      stock.marketCap = marketCap;
      stock.marketCapCategory = marketCapCategory;
      stock.sector = sector;
      columns.read(used, stock, at, 'traded');
      run.look(program.truthOf(span.first, span.count), at, day);
      program.note(span.first, span.count);
    });
  }
  return run.result([
    ...told.sentences,
    'Tested on the open, high, low and close of each day: what came and went in between is not counted.',
  ]);
}
