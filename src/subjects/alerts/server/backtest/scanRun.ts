import { OperandColumns } from '#subjects/alerts/rules/operandColumns.ts';
import { Program } from '#subjects/alerts/rules/program.ts';
import { backtestable, ONLY_DAYS, periodsOf } from '#subjects/alerts/rules/backtestRun.ts';
import { dateOf } from '#market/rules/localTime.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import type { ScanBacktest } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { WatchedScan } from '#subjects/alerts/answers/scanAlert.ts';
import { watchedLogic, withFilters } from '#subjects/alerts/rules/scanAlerts/scanAlertRules.ts';
import {
  bestStricter,
  isTooOften,
  perDay,
  type BacktestedScan,
  scanInBars,
  ScanBacktestRun,
  stricterLimits,
  withStricter,
} from '#subjects/alerts/rules/scanAlerts/scanBacktest.ts';
import { FALSE } from '#subjects/alerts/rules/readiness.ts';
import { canCompute } from '#market/indicators/formulas/index.ts';
import { createReplay } from '#market/indicators/replay.ts';
import { throughDays } from './moments.ts';
import { earlierDays, isIntraday, KNOWN_DAYS, planOf, type BacktestContext, type Steps } from './run.ts';

const SCAN_DAYS = 20;

type ScanBacktestContext = BacktestContext & { stockOf(code: string): Stock | null };

const NO_AUCTION = 'Past bars don’t include the auction before the open, so this can’t be backtested.';

const NO_NEWS = 'Past bars don’t include announcements, so this can’t be backtested.';

/** The part of a watched scan that bars can test (null if none), and sentences about the rest. */
function notifiedOf(
  { catalog, scanOf }: Omit<BacktestContext, 'past'>,
  watched: WatchedScan,
): { logic: Logic | null; sentences: string[] } {
  const { scan, sentences } = scanInBars(watched);
  if (scan.type === 'announcements') return { logic: null, sentences: [NO_NEWS] };
  if (scan.type === 'scanner') {
    if (scan.key === 'preMarket') return { logic: null, sentences: [NO_AUCTION] };
    return { logic: watchedLogic(scan, 'enters', scanOf), sentences };
  }
  const logic = scanOf(scan.id)?.logic ?? { op: 'AND', conditions: [] };
  const split = backtestable(logic, { catalog, scanOf, canCompute: canCompute(catalog.indicators) });
  const { periods, sentences: unknown } = periodsOf(split, false);
  return {
    logic: periods.includes('days') ? withFilters(split.logic, scan.filters) : null,
    sentences: [...unknown.filter((sentence) => sentence !== ONLY_DAYS), ...sentences],
  };
}

type Variant = { logic: Logic; run: ScanBacktestRun };

/**
 * Backtests an alert and its stricter variants on the days of every stock, in short steps. All in one pass, because
 * reading bars costs most.
 * @param stricter variants whose conditions include the alert's
 */
function* runAll(
  context: ScanBacktestContext,
  codes: readonly string[],
  alert: Variant,
  stricter: readonly Variant[],
): Steps<void> {
  // Variants differ only in limits and filters, which need no computed values.
  const plan = planOf(alert.logic, context);
  const columns = new OperandColumns();
  const program = new Program(columns);
  const span = program.add(alert.logic);
  const forms = stricter.map(({ logic, run }) => ({ logic, run, span: program.add(logic) }));
  const used = program.columnsOf(span);
  const more = new Set(forms.flatMap((form) => program.columnsOf(form.span)));
  for (const column of used) more.delete(column);
  const usedMore = [...more];
  const count =
    SCAN_DAYS + (plan.frames.length > 0 ? KNOWN_DAYS : 1) + earlierDays(plan, (key) => !isIntraday(key));
  const from = context.past.since(SCAN_DAYS);
  for (const code of codes) {
    const live = context.stockOf(code);
    const days = context.past.days(code, count);
    yield;
    if (!live || days.length === 0) continue;
    for (const form of [{ ...alert, span }, ...forms]) {
      program.forget(form.span.first, form.span.count);
      form.run.begin(code, form.logic);
    }
    const { name, securityType, marketCap, marketCapCategory, sector } = live;
    const way = { replay: createReplay(plan), from };
    yield* throughDays({ code, days }, way, (stock, at, day) => {
      stock.name = name;
      stock.securityType = securityType;
      stock.marketCap = marketCap;
      stock.marketCapCategory = marketCapCategory;
      stock.sector = sector;
      columns.read(used, stock, at, 'traded');
      const truth = program.truthOf(span.first, span.count);
      if (truth !== FALSE) columns.read(usedMore, stock, at, 'traded');
      alert.run.evaluate(truth, at, day);
      program.note(span.first, span.count);
      for (const form of forms) {
        const { first, count: rows, hasCrossings } = form.span;
        // A stricter variant cannot hold if the alert does not.
        form.run.evaluate(truth === FALSE ? FALSE : program.truthOf(first, rows), at, day);
        if (hasCrossings) program.note(first, rows);
      }
    });
  }
}

const stricterForms = (context: ScanBacktestContext, scan: BacktestedScan) =>
  stricterLimits(scan).flatMap((limit) => {
    const stricter = withStricter(scan, limit);
    const { logic } = notifiedOf(context, stricter.scan);
    return logic ? [{ limit, logic, run: new ScanBacktestRun(stricter, dateOf) }] : [];
  });

export function* backtestScan(context: ScanBacktestContext, scan: BacktestedScan): Steps<ScanBacktest> {
  const { logic, sentences } = notifiedOf(context, scan.scan);
  const run = new ScanBacktestRun(scan, dateOf);
  if (logic === null) return run.result(sentences);
  const forms = stricterForms(context, scan);
  yield* runAll(context, scan.codes, { logic, run }, forms);
  const found = run.result(sentences);
  if (found.days === 0) return found;
  found.notRehearsed.push(
    'Tested on the open, high, low and close of each day. Moves in between are not counted.',
  );
  if (!isTooOften(found)) return found;
  const tried = forms.map(({ limit, run: form }) => ({ ...limit, perDay: perDay(form.result([])) }));
  return { ...found, stricter: bestStricter(perDay(found), tried) };
}
