import { capitalised } from '#lib/wording.ts';
import { type Condition, isGroup, type Logic } from '#subjects/conditions/rules/condition.ts';
import type { IgnoresStatus } from '#subjects/conditions/rules/scanFields.ts';
import { formatNumber } from '#texts/format.ts';
import type { Stock } from '#market/rules/stock.ts';
import { OperandColumns } from './operandColumns.ts';
import { Program } from './program.ts';
import { isReady, readinessOf, TRUE, UNKNOWN } from './readiness.ts';
import type { Backtest } from './backtest.ts';

export type Preview = {
  /** Null if an unknown value would decide. */
  holds: boolean | null;
  /** Percent that the farthest value must still move; null if a percentage makes no sense, as for a yes or no. */
  away: number | null;
  /** True if a crossing's value is already past the level, so that it must come back first. */
  isBeyond: boolean;
};

/** Fields for which a distance in percent makes sense: prices and amounts. */
const MEASURED: ReadonlySet<string> = new Set([
  'last',
  'open',
  'high',
  'low',
  'close',
  'vwap',
  'match_price',
  'volume',
  'value',
  'match_vol',
  'marketCap',
]);

const isMeasured = ({ lhs }: Condition): boolean => lhs.type === 'field' && MEASURED.has(lhs.key);

const isCrossing = ({ op }: Condition): boolean => op === 'crosses_above' || op === 'crosses_below';

const isPast = (op: Condition['op'], left: number, right: number): boolean =>
  op === 'crosses_above' ? left > right : left < right;

/**
 * Evaluates unsaved conditions like the engine's first evaluation.
 * @param now the market's clock, epoch ms
 * @param ignoreStatus used by conditions on a scanner
 */
export function previewOf(logic: Logic, stock: Stock, now: number, ignoreStatus?: IgnoresStatus): Preview {
  const columns = new OperandColumns(ignoreStatus);
  const program = new Program(columns);
  const span = program.add(logic);
  const readiness = readinessOf(stock, false);
  columns.read(program.columnsOf(span), stock, now, readiness);
  const truth = isReady(readiness, span) ? program.truthOf(span.first, span.count) : UNKNOWN;
  let row = span.first;
  let isBeyond = false;
  const distance = (condition: Condition): number | null => {
    const [left, right, own] = [program.leftOf(row), program.rightOf(row), program.test(row)];
    row += 1;
    if (own === TRUE) return 0;
    const isCrossed = isCrossing(condition) && isPast(condition.op, left, right);
    isBeyond ||= isCrossed;
    const percent = Math.abs((right - left) / left) * 100;
    const isFar = own !== UNKNOWN && !isCrossed && isMeasured(condition) && Number.isFinite(percent);
    return isFar ? percent : null;
  };
  const ways = logic.conditions.map((member) => {
    if (!isGroup(member)) return distance(member);
    const known = member.conditions.map(distance).filter((way) => way !== null);
    return known.length > 0 ? Math.min(...known) : null;
  });
  const isKnown = truth !== TRUE && ways.every((way) => way !== null);
  return {
    holds: truth === UNKNOWN ? null : truth === TRUE,
    away: isKnown && truth !== UNKNOWN ? Math.max(...ways) : null,
    isBeyond,
  };
}

const awayText = (away: number): string =>
  away < 0.05 ? 'Less than 0.1% away' : `${formatNumber(away, away < 10 ? 1 : 0)}% away`;

/** 'never in the last 5 days'; null if nothing was run. */
function oftenText({ minutes, days }: Pick<Backtest, 'minutes' | 'days'>): string | null {
  const run = minutes ?? days;
  if (run === null) return null;
  const { fired, tradingDays } = run;
  const often = fired === 0 ? 'never' : fired === 1 ? 'once' : `${formatNumber(fired, 0)} times`;
  return `${often} in the last ${tradingDays === 1 ? 'day' : `${formatNumber(tradingDays, 0)} days`}`;
}

export type Foreseen = {
  preview: Preview | null;
  backtest: Pick<Backtest, 'minutes' | 'days' | 'holdsNow'> | null;
  /** True if the server has these conditions and the alert is on: conditions that hold have then fired. */
  isLive: boolean;
  /** True if the alert is on, or will be when saved. */
  isOn: boolean;
};

function nowText({ preview, backtest, isLive, isOn }: Foreseen): string | null {
  const holds = preview?.holds ?? backtest?.holdsNow ?? null;
  if (holds === true) {
    if (isLive) return 'True now: fires when it becomes true again';
    return isOn
      ? 'Already true: fires immediately'
      : 'Already true: fires immediately when it is switched on';
  }
  if (preview?.isBeyond === true) return 'Already past it: fires when it comes back and crosses again';
  return preview?.away == null ? null : awayText(preview.away);
}

/** 'Already true: fires immediately', '1.2% away · never in the last 5 days'; null if nothing is known. */
export function previewText(foreseen: Foreseen): string | null {
  const often = foreseen.backtest === null ? null : oftenText(foreseen.backtest);
  const parts = [nowText(foreseen), often].filter((part) => part !== null);
  const text = parts.join(' · ');
  return text === '' ? null : capitalised(text);
}
