import { readFile } from 'node:fs/promises';
import { startBellbird } from '#support/executable.ts';
import type { Row } from './row.ts';
import { drain } from './support/drain.ts';

const LIMIT_MB = 180;

const COLUMNS_LIMIT_MB = 150;
const FAMILIES = ['rsi', 'ema', 'macd-hist', 'bb-upper', 'adx'];
const TIMEFRAMES = ['5', '15', '60', 'D'];
/** Starts before the open, when the orders of all auctions wait, so that ten minutes include trading. */
const MARKET = { BELLBIRD_SIM_START: '09:55' };
const FILL_MINUTES = 2;

export const run = async (minutes = 10): Promise<Row[]> => [await alone(minutes), await withColumns(minutes)];

async function alone(minutes: number): Promise<Row> {
  const bellbird = await startBellbird({ env: MARKET });
  const reading = new AbortController();
  const drained = drain(`${bellbird.url}/api/data/stream`, reading.signal);
  try {
    const readings: number[] = [];
    const end = Date.now() + minutes * 60_000;
    while (Date.now() < end) {
      await Bun.sleep(Math.min(5000, Math.max(0, end - Date.now())));
      readings.push(await residentMb(bellbird.pid));
    }
    const last = readings.at(-1) ?? (await residentMb(bellbird.pid));
    return {
      what: `Resident memory after ${minutes} minutes, one reader`,
      measured: `${last.toFixed(0)} MB (highest ${Math.max(last, ...readings).toFixed(0)} MB)`,
      target: minutes >= 10 ? `≤ ${LIMIT_MB} MB` : `≤ ${LIMIT_MB} MB after 10 minutes`,
      ok: last <= LIMIT_MB,
    };
  } finally {
    reading.abort();
    await drained;
    await bellbird.stop();
  }
}

async function withColumns(minutes: number): Promise<Row> {
  const bellbird = await startBellbird({ env: { ...MARKET, BELLBIRD_TEST: '1' } });
  const reading = new AbortController();
  const drained = drain(`${bellbird.url}/api/data/stream`, reading.signal);
  try {
    await Bun.sleep(5000);
    await chooseColumns(bellbird.url);
    await Bun.sleep(Math.max(FILL_MINUTES, minutes) * 60_000);
    const last = await residentMb(bellbird.pid);
    const highest = await residentMb(bellbird.pid, 'VmHWM');
    return {
      what: `Peak resident memory with ${FAMILIES.length * TIMEFRAMES.length} indicator columns`,
      measured: `${highest.toFixed(0)} MB, at the end ${last.toFixed(0)} MB`,
      target: `≤ ${COLUMNS_LIMIT_MB} MB`,
      ok: highest <= COLUMNS_LIMIT_MB,
    };
  } finally {
    reading.abort();
    await drained;
    await bellbird.stop();
  }
}

async function chooseColumns(url: string): Promise<void> {
  const post = async (path: string, body: unknown, token = ''): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', authorization: token };
    const response = await fetch(`${url}/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}.`);
    return response.json();
  };
  const { accessToken } = (await post('/test/seed', { username: 'free' })) as { accessToken: string };
  const refs = TIMEFRAMES.flatMap((tf) =>
    FAMILIES.map((family) => ({ type: 'indicator', family, params: {}, tf, valueKey: 'now' })),
  );
  await post('/indicators/prefs', { refs }, accessToken);
}

async function residentMb(pid: number, member: 'VmRSS' | 'VmHWM' = 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = new RegExp(`^${member}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`The system reports no resident memory for process ${pid}.`);
  return Number(kilobytes) / 1024;
}
