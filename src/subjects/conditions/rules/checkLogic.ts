import { isRecord, type JsonRecord } from '#lib/json.ts';
import { fieldPath, ok, refuse, type Result, within } from '#lib/result.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { quoted } from '#lib/wording.ts';
import {
  type AnyGroup,
  type Condition,
  type Logic,
  type LogicKind,
  MAX_GROUPS,
  type Operator,
  OPERATORS,
  SCAN_LOGIC,
  TEXT_OPERATORS,
} from './condition.ts';
import { checkOperand, isSector, type Operand } from './operand.ts';
import { checkScanQuestion, isScanRef, noScans, type ScanCheck, scanRefs } from './savedScan.ts';

/** Names that conditions may refer to: the catalog's indicators, and saved scans if allowed. */
type Names = { catalog: Pick<Catalog, 'indicators'>; kind: LogicKind; checkScan: ScanCheck };

/** A sector is compared only with a list of sectors; a saved scan is only tested for membership. */
function checkKinds(lhs: Condition['lhs'], op: Operator, rhs: Operand): Result<Operand> {
  if (rhs.type === 'scan') return refuse('A saved scan can only be on the left side.', 'rhs');
  if (lhs.type === 'scan') return checkScanQuestion(op, rhs);
  if (isSector(rhs)) return refuse('The sector can only be on the left side.', 'rhs');
  if (!isSector(lhs)) {
    return rhs.type === 'text' ? refuse('Only the sector can be compared with sectors.', 'rhs') : ok(rhs);
  }
  if (!TEXT_OPERATORS.includes(op)) return refuse('A sector can only be compared with == or !=.', 'op');
  return rhs.type === 'text' ? ok(rhs) : refuse('Choose the sectors to compare with.', 'rhs');
}

function checkSide({ catalog, kind, checkScan }: Names, sent: unknown): Result<Operand> {
  if (!isScanRef(sent)) return checkOperand(catalog, sent);
  return kind.maxScans === 0 ? refuse(`${kind.noun} can't use a saved scan. An alert can.`) : checkScan(sent);
}

function checkCondition(names: Names, sent: unknown): Result<Condition> {
  if (!isRecord(sent)) return refuse('A condition needs `lhs`, `op` and `rhs`.');
  const op = OPERATORS.find((operator) => operator === sent['op']);
  if (!op) return refuse(`Unknown comparison "${quoted(sent['op'])}".`, 'op');
  const lhs = within('lhs', checkSide(names, sent['lhs']));
  if (!lhs.ok) return lhs;
  if (lhs.value.type === 'number' || lhs.value.type === 'text') {
    return refuse('The left side of a condition must be an indicator or a field.', 'lhs');
  }
  const rhs = within('rhs', checkSide(names, sent['rhs']));
  if (!rhs.ok) return rhs;
  const fitting = checkKinds(lhs.value, op, rhs.value);
  return fitting.ok ? ok({ lhs: lhs.value, op, rhs: fitting.value }) : fitting;
}

/** @param index in the condition's own list @param number in the whole list, from 1, for the refusal */
function checkNumbered(names: Names, sent: unknown, index: number, number: number): Result<Condition> {
  const checked = checkCondition(names, sent);
  if (checked.ok) return checked;
  const { field, message } = checked.error;
  return refuse(`Condition ${number}: ${message}`, fieldPath(`conditions[${index}]`, field));
}

/** @param before number of earlier conditions in the whole list */
function checkConditions(names: Names, list: readonly unknown[], before: number): Result<Condition[]> {
  const conditions: Condition[] = [];
  for (const [index, item] of list.entries()) {
    const checked = checkNumbered(names, item, index, before + index + 1);
    if (!checked.ok) return checked;
    conditions.push(checked.value);
  }
  return ok(conditions);
}

const isSentGroup = (sent: unknown): sent is JsonRecord =>
  isRecord(sent) && (sent['op'] === 'OR' || sent['op'] === 'AND');

function membersOf(sent: JsonRecord): readonly unknown[] | null {
  const members = sent['conditions'];
  return sent['op'] === 'OR' && Array.isArray(members) && members.length > 0 ? (members as unknown[]) : null;
}

function checkGroup(names: Names, sent: JsonRecord, before: number): Result<AnyGroup> {
  const members = membersOf(sent);
  if (!members) return refuse('A group must be a list of conditions joined by OR.', 'conditions');
  if (members.some(isSentGroup)) return refuse('A group cannot contain another group.', 'conditions');
  const checked = checkConditions(names, members, before);
  return checked.ok ? ok({ op: 'OR', conditions: checked.value }) : checked;
}

/** Counts before checking, so that a huge list costs nothing. */
function refuseTooMany(list: readonly unknown[], { noun, maxConditions }: LogicKind): Result<null> {
  const groups = list.filter(isSentGroup);
  const inGroups = groups.reduce((sum, group) => sum + (membersOf(group)?.length ?? 1), 0);
  if (list.length - groups.length + inGroups > maxConditions) {
    return refuse(`${noun} can have at most ${maxConditions} conditions.`, 'conditions');
  }
  return groups.length > MAX_GROUPS
    ? refuse(`${noun} can have at most ${MAX_GROUPS} groups.`, 'conditions')
    : ok(null);
}

/**
 * @param checkScan checks saved scans; none are allowed if omitted
 * @returns the canonical list; a refusal names the place: 'conditions[1].rhs.tf', or
 * 'conditions[2].conditions[0].rhs.tf' in a group
 */
export function checkLogic(
  catalog: Pick<Catalog, 'indicators'>,
  sent: unknown,
  kind: LogicKind = SCAN_LOGIC,
  checkScan: ScanCheck = noScans,
): Result<Logic> {
  const names = { catalog, kind, checkScan };
  const list = isRecord(sent) ? sent['conditions'] : undefined;
  if (!isRecord(sent) || sent['op'] !== 'AND' || !Array.isArray(list)) {
    return refuse(`${kind.noun} must be a list of conditions joined by AND.`, 'conditions');
  }
  const bounded = refuseTooMany(list as unknown[], kind);
  if (!bounded.ok) return bounded;
  const members: Logic['conditions'] = [];
  let before = 0;
  for (const [index, item] of (list as unknown[]).entries()) {
    if (isSentGroup(item)) {
      const group = within(`conditions[${index}]`, checkGroup(names, item, before));
      if (!group.ok) return group;
      members.push(group.value);
      before += group.value.conditions.length;
      continue;
    }
    const checked = checkNumbered(names, item, index, before + 1);
    if (!checked.ok) return checked;
    members.push(checked.value);
    before += 1;
  }
  const logic: Logic = { op: 'AND', conditions: members };
  return scanRefs(logic).length > kind.maxScans
    ? refuse(`${kind.noun} can use at most ${kind.maxScans} saved scans.`, 'conditions')
    : ok(logic);
}
