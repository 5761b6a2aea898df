import { and, eq, gte, inArray, isNull, sql } from 'drizzle-orm';
import { callPaths } from '#src/tables/callSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { calls } from '#platform/db/schema.ts';
import type { CallPath } from '#subjects/calls/rules/types.ts';
import { type StopStep, withStep } from '#subjects/calls/rules/trailingStop.ts';
import type { CallRow } from '../store.ts';
import { lazy } from '#lib/lazy.ts';
import { packJson, unpackJson } from '#lib/pack.ts';

const MAX_PATH_BYTES = 200_000;

/** A settled call's path as it is kept; null in it means that none was known. Earlier versions kept no adjustments. */
export type KeptPath = {
  path: (Omit<CallPath, 'adjustments'> & Partial<Pick<CallPath, 'adjustments'>>) | null;
};

const toNumbers = (steps: readonly StopStep[]): number[] => steps.flatMap(({ time, price }) => [time, price]);

function toSteps(numbers: readonly number[]): StopStep[] {
  const steps: StopStep[] = [];
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    steps.push({ time: numbers[index] ?? 0, price: numbers[index + 1] ?? 0 });
  }
  return steps;
}

const prepareById = (db: Db) =>
  db
    .select()
    .from(calls)
    .where(eq(calls.id, sql.placeholder('id')))
    .prepare();

/** SQL of what is kept of calls' prices. */
export class CallPathStore {
  readonly #byId: () => ReturnType<typeof prepareById>;

  constructor(private readonly db: Db) {
    this.#byId = lazy(() => prepareById(db));
  }

  /** All or nothing; the callback must not await. */
  inTransaction<T>(work: () => T): T {
    return this.db.transaction(work, { behavior: 'immediate' });
  }

  /** Where a call's trailing stop stood from when, by the wall clock; oldest first. */
  stopsOf(callId: number): StopStep[] {
    return toSteps(this.#rowOf(callId)?.stops ?? []);
  }

  /** Adds steps of a call's trailing stop; the number that is kept is bounded. */
  addStops(callId: number, steps: readonly StopStep[]): void {
    const known = steps.reduce<readonly StopStep[]>((all, step) => withStep(all, step), this.stopsOf(callId));
    const stops = toNumbers(known);
    this.db
      .insert(callPaths)
      .values({ callId, stops })
      .onConflictDoUpdate({ target: callPaths.callId, set: { stops } })
      .run();
  }

  /** The path of a settled call; null when none was kept. */
  pathOf(callId: number): KeptPath | null {
    const bytes = this.#rowOf(callId)?.path;
    return bytes ? (unpackJson(bytes, MAX_PATH_BYTES) as KeptPath) : null;
  }

  /** Keeps the path of a settled call, once. */
  keepPath(callId: number, kept: KeptPath): void {
    const path = packJson(kept);
    this.db
      .insert(callPaths)
      .values({ callId, path })
      .onConflictDoUpdate({ target: callPaths.callId, set: { path }, setWhere: isNull(callPaths.path) })
      .run();
  }

  /** Calls of a source that ended since then and are settled, but have no path yet. @param wall epoch ms */
  withoutPath(source: string, wall: number): number[] {
    const isSettled = and(
      inArray(calls.status, ['closed', 'cancelled']),
      eq(calls.source, source),
      eq(calls.isAwaitingExit, false),
      gte(calls.closedAt, wall),
    );
    return this.db
      .select({ id: calls.id })
      .from(calls)
      .leftJoin(callPaths, eq(callPaths.callId, calls.id))
      .where(and(isSettled, isNull(callPaths.path)))
      .all()
      .map(({ id }) => id);
  }

  /** Asked for every call whose path is due, again and again until that is whole. */
  byId(id: number): CallRow | undefined {
    return this.#byId().get({ id });
  }

  #rowOf(callId: number) {
    return this.db.select().from(callPaths).where(eq(callPaths.callId, callId)).get();
  }
}
