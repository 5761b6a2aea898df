import { createMinutesSinceOpen } from '#market/rules/opening.ts';
import { type Condition, conditionsOf, isGroup, type Logic } from '#subjects/conditions/rules/condition.ts';
import { MINUTES_FIELD } from '#subjects/conditions/rules/conditionFields.ts';
import { sideOf } from '#subjects/conditions/rules/evaluator.ts';
import { HOLDS } from './checks.ts';
import { FIRST_MINUTE, type SessionDay } from './session.ts';

const MINUTES_A_DAY = 1440;

const readsTime = ({ lhs, rhs }: Condition): boolean =>
  [lhs, rhs].some((side) => side.type === 'field' && side.key === MINUTES_FIELD);

/** A comparison of the time with a number. */
const levelOf = ({ lhs, rhs }: Condition): number | null =>
  lhs.type === 'field' && lhs.key === MINUTES_FIELD && rhs.type === 'number' ? rhs.value : null;

const holdsAt = ({ op }: Condition, minutes: number | null, level: number): boolean =>
  minutes !== null && ((HOLDS[op] >> (sideOf(minutes, level) + 1)) & 1) === 1;

/**
 * Conditions on the time of day. They can begin to hold in a minute in which nothing of the stock changed, so such
 * minutes are evaluated too.
 */
export class MinuteChecks {
  /** Minutes in which a condition on the time begins or ceases to hold, ascending. */
  changes: readonly number[] = [];
  /** 1 for minutes in which the conditions that must hold do. */
  private readonly allowed = new Uint8Array(MINUTES_A_DAY).fill(1);
  private readonly all: readonly Condition[];
  private readonly required: readonly Condition[];
  private readonly minutesAt = createMinutesSinceOpen();

  /** @param logics of the scan, and of the saved scans that it names */
  constructor(own: Logic, logics: readonly Logic[]) {
    this.all = logics.flatMap(conditionsOf).filter(readsTime);
    this.required = own.conditions.flatMap((member) =>
      !isGroup(member) && levelOf(member) !== null ? [member] : [],
    );
  }

  beginSession(session: SessionDay): void {
    if (this.all.length === 0) return;
    const changes: number[] = [];
    let before: number | null = null;
    for (let minute = 0; minute < MINUTES_A_DAY; minute += 1) {
      const now = this.minutesAt(session.endOf(minute));
      // The night still belongs to the session before.
      const minutes = minute < FIRST_MINUTE ? null : now;
      this.allowed[minute] = Number(this.required.every((one) => holdsAt(one, minutes, levelOf(one) ?? 0)));
      if (minute < session.end && this.hasChanged(before, minutes)) changes.push(minute);
      before = minutes;
    }
    this.changes = changes;
  }

  allows(minute: number): boolean {
    return this.allowed[minute] === 1;
  }

  private hasChanged(before: number | null, now: number | null): boolean {
    return this.all.some((one) => {
      const level = levelOf(one);
      // Compared with another value, every minute can change the result.
      if (level === null) return before !== now;
      return holdsAt(one, before, level) !== holdsAt(one, now, level);
    });
  }
}
