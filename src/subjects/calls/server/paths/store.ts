import { and, eq, gte, inArray, isNull, sql } from 'drizzle-orm';
import { callPaths } from '../../../../platform/db/callPathSchema.ts';
import type { Db } from '../../../../platform/db/open.ts';
import { calls } from '../../../../platform/db/schema.ts';
import type { CallPath } from '../../rules/life.ts';
import { type StopStep, withStep } from '../../rules/trailingStop.ts';
import type { CallRow } from '../store.ts';
import { zlib } from '../../../../lib/zlib.ts';

const MAX_PATH_BYTES = 200_000;

/** A settled call's path as it is kept; null in it means that none was known. */
export type KeptPath = { path: CallPath | null };

const pack = (kept: KeptPath): Buffer => zlib().deflateRawSync(JSON.stringify(kept), { level: 6 });

const unpack = (bytes: Uint8Array): KeptPath =>
  JSON.parse(zlib().inflateRawSync(bytes, { maxOutputLength: MAX_PATH_BYTES }).toString('utf8')) as KeptPath;

const toNumbers = (steps: readonly StopStep[]): number[] => steps.flatMap(({ time, price }) => [time, price]);

function toSteps(numbers: readonly number[]): StopStep[] {
  const steps: StopStep[] = [];
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    steps.push({ time: numbers[index] ?? 0, price: numbers[index + 1] ?? 0 });
  }
  return steps;
}

/** SQL of what is kept of calls' prices. */
export function callPathStore(db: Db) {
  const stopsOf = (callId: number): StopStep[] => {
    const of = eq(callPaths.callId, callId);
    return toSteps(db.select({ stops: callPaths.stops }).from(callPaths).where(of).get()?.stops ?? []);
  };
  const prepareById = () =>
    db
      .select()
      .from(calls)
      .where(eq(calls.id, sql.placeholder('id')))
      .prepare();
  let byId: ReturnType<typeof prepareById> | undefined;
  return {
    /** All or nothing; the callback must not await. */
    inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),

    /** Where a call's trailing stop stood from when, by the wall clock; oldest first. */
    stopsOf,

    /** Adds steps of a call's trailing stop; the number that is kept is bounded. */
    addStops(callId: number, steps: readonly StopStep[]): void {
      const known = steps.reduce<readonly StopStep[]>((all, step) => withStep(all, step), stopsOf(callId));
      const stops = toNumbers(known);
      db.insert(callPaths)
        .values({ callId, stops })
        .onConflictDoUpdate({ target: callPaths.callId, set: { stops } })
        .run();
    },

    /** The path of a settled call; null when none was kept. */
    pathOf(callId: number): KeptPath | null {
      const of = eq(callPaths.callId, callId);
      const bytes = db.select({ path: callPaths.path }).from(callPaths).where(of).get()?.path;
      return bytes ? unpack(bytes) : null;
    },

    /** Keeps the path of a settled call, once. */
    keepPath(callId: number, kept: KeptPath): void {
      const path = pack(kept);
      db.insert(callPaths)
        .values({ callId, path })
        .onConflictDoUpdate({ target: callPaths.callId, set: { path }, setWhere: isNull(callPaths.path) })
        .run();
    },

    /** Calls of a source that ended since then and are settled, but have no path yet. @param wall epoch ms */
    withoutPath: (source: string, wall: number): number[] =>
      db
        .select({ id: calls.id })
        .from(calls)
        .leftJoin(callPaths, eq(callPaths.callId, calls.id))
        .where(
          and(
            inArray(calls.status, ['closed', 'cancelled']),
            eq(calls.source, source),
            eq(calls.isAwaitingExit, false),
            gte(calls.closedAt, wall),
            isNull(callPaths.path),
          ),
        )
        .all()
        .map(({ id }) => id),

    /** Asked for every call whose path is due, again and again until that is whole. */
    byId(id: number): CallRow | undefined {
      byId ??= prepareById();
      return byId.get({ id });
    },
  };
}

export type CallPathStore = ReturnType<typeof callPathStore>;
