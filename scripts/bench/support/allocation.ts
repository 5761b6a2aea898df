import { join } from 'node:path';
import type { Row } from '../row.ts';
import type { AllocationInput } from './alertAllocation.ts';

const INPUT: AllocationInput = { alerts: 5000, turns: 2000 };
/** Limit of bytes per evaluation: less than one number per hundred, which the run itself allocates. */
const LIMIT_BYTES = 0.08;

/** Growth of the heap from the end of a collection to the beginning of the next, kB, from the runtime's log. */
function grownKilobytes(log: string): number {
  const measured = log.split('evaluating')[1] ?? '';
  const before = [...(log.split('evaluating')[0] ?? '').matchAll(/sweep: \d{1,9}kb => (\d{1,9})kb/g)].at(
    -1,
  )?.[1];
  const collections = [...measured.matchAll(/START M (\d{1,9})kb/g)];
  if (before === undefined || collections.length !== 1) {
    throw new Error(`${collections.length} collections instead of one: the heap grew by an unknown amount.`);
  }
  return Number(collections[0]?.[1]) - Number(before);
}

export async function measureAllocation(): Promise<Row> {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, 'alertAllocation.ts'), JSON.stringify(INPUT)],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, BUN_JSC_logGC: '1' } },
  );
  const grown = grownKilobytes(await new Response(child.stderr).text());
  const evaluations = INPUT.alerts * INPUT.turns;
  const bytes = Math.max(0, grown * 1024) / evaluations;
  return {
    what: `Heap growth over ${evaluations / 1e6} million evaluations of three conditions`,
    measured: `${grown} kB: ${bytes.toFixed(4)} bytes each`,
    target: `≤ ${LIMIT_BYTES} bytes each`,
    ok: bytes <= LIMIT_BYTES,
  };
}
