import { post } from '#support/executable.ts';
import { HOSTILE_REQUESTS } from '#support/hostileRequests.ts';
import type { Row } from './row.ts';
import type { Answers, Attack, Sent } from './support/attacker.ts';
import {
  accents,
  alertWrites,
  type NamedAttack,
  type Operation,
  operationsOf,
  personalReads,
  settingsFiles,
  streamStorms,
  historyReads,
  unreadStreams,
  weeklyBars,
} from './support/attacks.ts';
import { readListed } from './support/listed.ts';
import { chooseValues, type HostileFixture, openHostileFixture } from './support/hostileFixture.ts';
import { type LoopProbe, residentMb, startLoopProbe } from './support/loopProbe.ts';
import { type Child, startChild } from './support/pinned.ts';

const LIMIT_MS = 50;
const LIMIT_MB = 60;
const ACCOUNTS = 210;
const AT_ONCE = 100;
const REGISTERING = 6;
/** After this time (ms), garbage collection and compilation of the start are done. */
const SETTLE_MS = 5000;
const HISTORY_FROM = 10 * 60 + 5;

type Case = { name: string; run(): Promise<unknown> };
type Group = { what: string; cases: readonly Case[] };
type Worst = { value: number; name: string };

const none: Worst = { value: 0, name: '' };
const worse = (a: Worst, b: Worst): Worst => (b.value > a.value ? b : a);
const shown = ({ value, name }: Worst, unit: string): string =>
  `${value.toFixed(unit === 'ms' ? 1 : 0)} ${unit}${name === '' ? '' : ` (${name})`}`;

async function measure(probe: LoopProbe, resident: () => number, { what, cases }: Group): Promise<Row> {
  // Memory that the previous group used must not count.
  await Bun.sleep(SETTLE_MS);
  const before = resident();
  let longest = none;
  let highest = none;
  for (const { name, run } of cases) {
    probe.reset();
    await run();
    // Lets the server finish and collect garbage, which other clients would notice too.
    await Bun.sleep(20);
    const { longestMs, highestMb } = probe.read();
    longest = worse(longest, { value: longestMs, name });
    highest = worse(highest, { value: Math.max(0, highestMb - before), name });
  }
  return {
    what: `${what} (${cases.length === 1 ? 'once' : `${cases.length} cases`})`,
    measured: `event loop blocked ${shown(longest, 'ms')}; memory +${shown(highest, 'MB')}`,
    target: `≤ ${LIMIT_MS} ms, ≤ +${LIMIT_MB} MB`,
    ok: longest.value <= LIMIT_MS && highest.value <= LIMIT_MB,
  };
}

type Attacker = Child<Attack, Answers>;

/** Every call of the API document: its largest request and its smallest refused one, many at a time. */
function documentCases(
  { attacker, port }: { attacker: Attacker; port: number },
  operations: readonly Operation[],
  token: (() => Promise<string>) | null,
): Case[] {
  return operations.flatMap(({ method, path, largest, smallest }, index) =>
    [largest, ...(Bun.deepEquals(largest, smallest) ? [] : [smallest])].map(
      (sent): Case => ({
        name: `${sent === largest ? 'largest' : 'smallest'} ${method} ${path}`,
        async run() {
          // Each from its own address, so that rate limits do not refuse it.
          const from = `198.51.${token === null ? 1 : 2}.${index % 250}`;
          const own: Record<string, string> = token === null ? {} : { authorization: await token() };
          const headers = { ...sent.headers, ...own, 'x-forwarded-for': from };
          await attacker.ask({ port, times: AT_ONCE, requests: [{ ...sent, headers }] });
        },
      }),
    ),
  );
}

async function registerMany({ bellbird: { url } }: HostileFixture): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    for (let index = next++; index < ACCOUNTS; index = next++) {
      const headers = {
        'content-type': 'application/json',
        'x-forwarded-for': `203.0.113.${Math.floor(index / 7)}`,
      };
      const body = JSON.stringify({ username: `hostile${index}`, password: 'a password' });
      const answer = await fetch(`${url}/api/register`, { method: 'POST', headers, body });
      if (!answer.ok) continue;
      const { accessToken } = (await answer.json()) as { accessToken: string };
      await chooseValues(url, accessToken, 98, index * 98);
    }
  };
  await Promise.all(Array.from({ length: REGISTERING }, one));
}

const hostileOfBefore = (): Sent[] =>
  HOSTILE_REQUESTS.map(({ path, init }) => ({
    method: init.method ?? 'GET',
    path,
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(typeof init.body === 'string' ? { body: init.body } : {}),
  }));

async function alertIds(url: string, authorization: string): Promise<number[]> {
  const answer = await fetch(`${url}/api/alerts`, { headers: { authorization } });
  const { alerts } = (await answer.json()) as { alerts: { id: number }[] };
  return alerts.map(({ id }) => id);
}

async function groupsOf(fixture: HostileFixture, attacker: Attacker): Promise<Group[]> {
  const { bellbird, token, date } = fixture;
  const { port, url } = bellbird;
  const own = await token();
  const attack = ({ name, ...rest }: NamedAttack): Case => ({
    name,
    run: () => attacker.ask({ port, ...rest }),
  });
  const operations = operationsOf(await (await fetch(`${url}/openapi/json`)).json());
  const called = (caller: (() => Promise<string>) | null): Case[] =>
    documentCases({ attacker, port }, operations, caller);
  const fresh = async (): Promise<string> => token();
  const codes = (await readListed(`${url}/api/data/stream`)).map(({ code }) => code);
  return [
    { what: 'No attack, ten seconds', cases: [{ name: '', run: () => Bun.sleep(10_000) }] },
    { what: 'Texts with thousands of accents', cases: accents(own).map(attack) },
    { what: 'Scanner history', cases: historyReads(own, date, HISTORY_FROM).map(attack) },
    { what: 'Streams opened but not read', cases: unreadStreams().map(attack) },
    { what: 'Streams from several addresses', cases: streamStorms().map(attack) },
    { what: 'Settings imports', cases: settingsFiles(own, codes).map(attack) },
    { what: 'Weekly bars', cases: weeklyBars(codes).map(attack) },
    { what: 'Alert changes', cases: alertWrites(own, await alertIds(url, own)).map(attack) },
    { what: 'Reads of personal data', cases: personalReads(own).map(attack) },
    {
      what: 'Invalid bodies, addresses and tokens',
      cases: hostileOfBefore().map((sent) =>
        attack({ name: `${sent.method} ${sent.path.slice(0, 30)}`, requests: [sent], times: 20 }),
      ),
    },
    { what: 'Every API operation, 100 concurrent visitors', cases: called(null) },
    { what: 'Every API operation, 100 concurrent requests of a free user', cases: called(fresh) },
    {
      what: `${ACCOUNTS} accounts, each with its maximum of indicator values`,
      cases: [{ name: '', run: () => registerMany(fixture) }],
    },
  ];
}

async function warmUp(fixture: HostileFixture, attacker: Attacker): Promise<void> {
  const { port, url } = fixture.bellbird;
  const operations = operationsOf(await (await fetch(`${url}/openapi/json`)).json());
  for (const token of [null, await fixture.token()]) {
    const headers: Record<string, string> = token === null ? {} : { authorization: token };
    for (const { method, path, smallest } of operations) {
      if (token !== null && path === '/api/logout') continue;
      await attacker.ask({
        port,
        times: 3,
        requests: [{ ...smallest, method, headers: { ...smallest.headers, ...headers } }],
      });
    }
  }
  await post(`${url}/api/login`, { identifier: 'free', password: 'wrong' });
  await Bun.sleep(SETTLE_MS);
}

/**
 * Measures how one hostile client affects others: attacks that once stopped the server, and every call of the API
 * document, against the executable with 2,000 stocks. The time for which the loop is blocked is measured inside the
 * server, by the scheduler's count of its thread.
 */
export async function run(): Promise<Row[]> {
  const fixture = await openHostileFixture();
  const attacker = startChild<Attack, Answers>('attacker.ts', 1);
  try {
    await warmUp(fixture, attacker);
    const { pid } = fixture.bellbird;
    const probe = startLoopProbe({ folder: fixture.folder, pid });
    const resident = (): number => residentMb(pid);
    const before = resident();
    const rows: Row[] = [];
    for (const group of await groupsOf(fixture, attacker)) {
      console.error(`  ${group.what} …`);
      rows.push(await measure(probe, resident, group));
    }
    probe.stop();
    await Bun.sleep(SETTLE_MS);
    const measured = `${before.toFixed(0)} → ${resident().toFixed(0)} MB`;
    rows.push({ what: 'Memory after all attacks', measured, target: '', ok: null });
    return rows;
  } catch (error) {
    throw new Error(`It failed. The server's output:\n${fixture.bellbird.log().slice(-3000)}`, {
      cause: error,
    });
  } finally {
    await attacker.stop();
    await fixture.close();
  }
}
