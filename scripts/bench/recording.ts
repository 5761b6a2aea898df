import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromSydney } from '#market/rules/sydneyTime.ts';
import { measureReplay } from './replayed.ts';
import type { Row } from './row.ts';
import { recordDay, type RecordedDay } from './support/recordDay.ts';

const DATE = '2026-01-19';
const LIMIT_SHARE = 0.03;
const LIMIT_BYTES = 60_000_000;

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bellbird-bench-'));
  try {
    const path = join(folder, 'day.bellbird');
    const day = await recordDay(path, fromSydney(DATE, 7, 0), fromSydney(DATE, 16, 30));
    return [...recordingRows(day), ...(await measureReplay(path))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function recordingRows({ ticks, stocks, bytes, processorMs }: RecordedDay): Row[] {
  const share = processorMs / 1000 / ticks;
  return [
    {
      what: `Recording ${stocks} stocks at a tick a second, 07:00 to 16:30, with compression and writes`,
      measured: `${(share * 100).toFixed(2)} % of a core`,
      target: `≤ ${LIMIT_SHARE * 100} %`,
      ok: share <= LIMIT_SHARE,
    },
    {
      what: 'Size of that day',
      measured: `${(bytes / 1e6).toFixed(1)} MB`,
      target: `≤ ${LIMIT_BYTES / 1e6} MB`,
      ok: bytes <= LIMIT_BYTES,
    },
  ];
}
