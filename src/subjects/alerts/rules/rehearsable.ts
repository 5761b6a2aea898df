import { type Condition, conditionsOf, isGroup, type Logic } from '#subjects/conditions/rules/condition.ts';
import type { Operand, ScanRef } from '#subjects/conditions/rules/operand.ts';
import { operandText } from '#subjects/conditions/rules/operandText.ts';
import { type ScanOf, watchable } from '#subjects/conditions/rules/savedScan.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import type { RehearsalPeriod } from './rehearsal.ts';

/** Fields that follow from the bars of a day so far and the close before it. */
const BAR_FIELDS: ReadonlySet<string> = new Set([
  'last',
  'close',
  'open',
  'high',
  'low',
  'volume',
  'value',
  'pips',
  'change_percent',
  'gap_percent',
  'day_range',
  'minutes_since_open',
]);

/** Within the bar of a day nothing is known of the time. */
const needsMinutes = (operand: Operand): boolean =>
  operand.type === 'field'
    ? operand.key === 'minutes_since_open'
    : operand.type === 'indicator' && Number.isInteger(Number(operand.tf));

/** What of a condition list can be run over past bars. */
export type Rehearsable = {
  /** Without the conditions, and the groups with a condition, that bars do not tell: it holds at least as often. */
  logic: Logic;
  /** What bars do not tell, in words, each once. */
  unknown: string[];
  /** What only minutes tell, in words, each once: without it days can be run too. */
  ofMinutes: string[];
};

/** What both sides of conditions read. */
const sidesOf = (logic: Logic): Operand[] => conditionsOf(logic).flatMap(({ lhs, rhs }) => [lhs, rhs]);

/** What the rules know besides the conditions. */
type RehearsalNames = {
  catalog: Pick<Catalog, 'indicators'>;
  /** The saved scans of the alert's owner. */
  scanOf: ScanOf;
  /** Whether an indicator can be computed from bars. */
  canCompute(operand: Extract<Operand, { type: 'indicator' }>): boolean;
};

/** Splits conditions into what past bars tell and what they do not. A saved scan is told where all that it reads is. */
export function rehearsable(logic: Logic, { catalog, scanOf, canCompute }: RehearsalNames): Rehearsable {
  const unknown = new Set<string>();
  /** What a saved scan reads; null for one that can't be read. */
  function sidesOfScan({ id }: ScanRef): Operand[] | null {
    const scan = watchable(scanOf(id));
    return scan && sidesOf(scan);
  }
  function isInBars(operand: Operand): boolean {
    if (operand.type === 'field') return BAR_FIELDS.has(operand.key);
    if (operand.type === 'indicator') return canCompute(operand);
    if (operand.type === 'scan') return sidesOfScan(operand)?.every(isInBars) ?? false;
    return operand.type !== 'text';
  }
  function isTold(operand: Operand): boolean {
    const told = isInBars(operand);
    if (!told && operand.type !== 'text') unknown.add(operandText(operand, catalog));
    return told;
  }
  // Both sides are asked: each that is not told is named.
  const isRun = ({ lhs, rhs }: Condition): boolean => [lhs, rhs].map(isTold).every(Boolean);
  const conditions = logic.conditions.filter((member) =>
    isGroup(member) ? member.conditions.map(isRun).every(Boolean) : isRun(member),
  );
  const kept: Logic = { op: 'AND', conditions };
  const sides = sidesOf(kept).flatMap((operand) =>
    operand.type === 'scan' ? (sidesOfScan(operand) ?? []) : [operand],
  );
  const ofMinutes = new Set(sides.filter(needsMinutes).map((operand) => operandText(operand, catalog)));
  return { logic: kept, unknown: [...unknown], ofMinutes: [...ofMinutes] };
}

const MAX_NAMES = 4;

/** 'A', 'A and B', 'A, B and C'; of many the first few. */
function listText(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const shown = more > 1 ? [...names.slice(0, MAX_NAMES), `${more} more`] : names;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** Which periods can be run, and sentences about what can't. @param hasMinutes whether the source has minute bars */
export function periodsOf(
  { logic, unknown, ofMinutes }: Rehearsable,
  hasMinutes: boolean,
): { periods: RehearsalPeriod[]; sentences: string[] } {
  const sentences: string[] = [];
  if (logic.conditions.length === 0) {
    return {
      periods: [],
      sentences: [`Past bars don’t include ${listText(unknown)}, so this can’t be backtested.`],
    };
  }
  if (unknown.length > 0) {
    sentences.push(
      `Past bars don’t include ${listText(unknown)}: what depends on that was left out, so the alert fires at most this often.`,
    );
  }
  if (ofMinutes.length === 0) {
    if (!hasMinutes) sentences.push('This price source has no minute bars: only daily bars were tested.');
    return { periods: hasMinutes ? ['minutes', 'days'] : ['days'], sentences };
  }
  const names = listText(ofMinutes);
  if (hasMinutes) sentences.push(`Daily bars don’t include ${names}: only minute bars were tested.`);
  else sentences.push(`Daily bars don’t include ${names}, and this price source has no minute bars.`);
  return { periods: hasMinutes ? ['minutes'] : [], sentences };
}
