import { rm } from 'node:fs/promises';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import { isComputable } from '#market/indicators/formulas/index.ts';
import { post, type Running, startBellbird, temporaryFolder } from '#support/executable.ts';
import { readListed } from './listed.ts';
import { probedBy } from './loopProbe.ts';

/** A fast clock, which gives a scanner history of more than two hours in little more than a minute. */
const FAST = { BELLBIRD_SIM_START: '10:00', BELLBIRD_SIM_SPEED: '120' };
const FAST_MS = 66_000;
const SLOW = { BELLBIRD_TEST: '1', BELLBIRD_SIM_START: '12:15' };

const STOCKS_AT_LEAST = 1500;
const ALERTS = 50;
const CONDITIONS = 20;
const SCANS = 20;
const TIMEFRAMES = ['1', '5', '15', '60', 'D'];

export type HostileFixture = {
  bellbird: Running;
  folder: string;
  token(): Promise<string>;
  date: string;
  close(): Promise<void>;
};

type Ref = { type: 'indicator'; family: string; params: object; tf: string; valueKey: 'now' };

export function refs(count: number, from: number): Ref[] {
  const families = Object.entries(builtInCatalog().indicators)
    .filter(([, family]) => isComputable(family))
    .map(([name]) => name);
  const all = families.flatMap((family) =>
    TIMEFRAMES.map((tf): Ref => ({ type: 'indicator', family, params: {}, tf, valueKey: 'now' })),
  );
  return Array.from({ length: count }, (_, index) => all[(from + index) % all.length]).filter(
    (ref) => ref !== undefined,
  );
}

export async function chooseValues(url: string, token: string, most: number, from = 0): Promise<number> {
  for (let count = most; count > 0; count -= 13) {
    const answer = await post(`${url}/api/indicators/prefs`, { refs: refs(count, from) }, token);
    if (answer.ok) return count;
    if (answer.status !== 400) throw new Error(`The choice of values was answered ${answer.status}.`);
  }
  return 0;
}

const conditions = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    lhs: { type: 'field', key: 'last' },
    op: '>',
    rhs: { type: 'number', value: 100_000 + index },
  }));

async function fill(url: string, token: string): Promise<void> {
  for (let index = 0; index < ALERTS; index += 1) {
    const logic = { op: 'AND', conditions: conditions(CONDITIONS) };
    const alert = { symbol: 'BHP', name: `Alert ${index}`, logic_json: logic, destinations: {} };
    if (!(await post(`${url}/api/alerts`, alert, token)).ok) break;
  }
  for (let index = 0; index < SCANS; index += 1) {
    const scan = { name: `Scan ${index}`, logic: { op: 'AND', conditions: conditions(10) } };
    if (!(await post(`${url}/api/indicators/scans`, scan, token)).ok) break;
  }
  await chooseValues(url, token, 98);
}

async function untilListed(url: string): Promise<void> {
  for (let attempt = 0; attempt < 120; attempt += 1) {
    if ((await readListed(`${url}/api/data/stream`)).length >= STOCKS_AT_LEAST) return;
    await Bun.sleep(500);
  }
  throw new Error('The market was not filled within a minute.');
}

async function session(url: string): Promise<string> {
  const answer = await post(`${url}/api/test/seed`, { username: 'free' });
  if (!answer.ok) throw new Error(`No demo user: ${answer.status}.`);
  return ((await answer.json()) as { accessToken: string }).accessToken;
}

async function newestDay(url: string, token: string): Promise<string> {
  const answer = await fetch(`${url}/api/data/tape/days`, { headers: { authorization: token } });
  const { days } = (await answer.json()) as { days: { date: string }[] };
  const [newest] = days.map(({ date }) => date).sort((a, b) => (a < b ? 1 : -1));
  if (newest === undefined) throw new Error('There is no scanner history.');
  return newest;
}

/**
 * Starts the executable with a whole market, two hours of scanner history and a free user with the maximum of
 * everything.
 */
export async function openHostileFixture(): Promise<HostileFixture> {
  const dataDir = await temporaryFolder();
  const earlier = await startBellbird({ dataDir, env: FAST });
  await Bun.sleep(FAST_MS);
  await earlier.stop();
  const folder = await temporaryFolder();
  const bellbird = await startBellbird({ dataDir, env: { ...SLOW, ...probedBy(folder) } });
  try {
    await untilListed(bellbird.url);
    const token = await session(bellbird.url);
    await fill(bellbird.url, token);
    return {
      bellbird,
      folder,
      token: () => session(bellbird.url),
      date: await newestDay(bellbird.url, token),
      async close() {
        await bellbird.stop();
        for (const path of [dataDir, folder]) await rm(path, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await bellbird.stop();
    throw error;
  }
}
