import { freePort } from '#support/executable.ts';
import { docsLines } from '../docsLines.ts';
import { type Bench, Installation, until } from '../installation.ts';
import { Machine, tool } from '../machine.ts';
import { Panel, type Shown } from '../panel.ts';
import { Upstream } from '../upstream.ts';

const CHECKOUT = '/opt/bellbird';
const CACHE = '/var/cache/bellbird';
const UPDATE = 'var/lib/bellbird/update';
const TRIAL_SECONDS = 5;
const CLEARED_WITHIN_MS = 120_000;
const CUT_IN = ['Install libraries', 'Build', 'Check', 'Try the new version'] as const;

/** Uses this machine's Bun and its package cache, so that nothing is downloaded. */
function putTools(machine: Machine): void {
  machine.put(process.execPath, '/usr/local/bin/bun');
  machine.put(tool(['bun', 'pm', 'cache']).trim(), `${CACHE}/.bun/install/cache`);
}

class FromCheckout {
  private constructor(
    readonly machine: Machine,
    readonly upstream: Upstream,
    readonly panel: Panel,
    readonly itemId: number,
  ) {}

  static async create(bench: Bench, machine: Machine): Promise<FromCheckout> {
    putTools(machine);
    const upstream = new Upstream(bench.folder, machine);
    await machine.boot();
    const lines = docsLines('A git checkout', 'git clone').replace('ADDRESS', upstream.path).split('\n');
    const cloning = lines.findIndex((line) => line.includes('git clone'));
    await machine.run(lines.slice(0, cloning).join('\n'));
    // git refuses repositories of other users, and root created the cache.
    await machine.run(`chown -R bellbird:bellbird ${upstream.path} ${CACHE}`);
    await machine.run(lines.slice(cloning).join('\n'));
    const installed = Installation.at(machine, await freePort());
    await installed.configure(`BELLBIRD_TRIAL_SECONDS=${TRIAL_SECONDS}`);
    await installed.start();
    await installed.serves();
    const token = await installed.becomeAdministrator();
    const itemId = await installed.watch(token, 'BHP');
    return new FromCheckout(machine, upstream, new Panel(installed, token), itemId);
  }

  async note(text: string): Promise<void> {
    const { installed, token } = this.panel;
    await installed.call(token, 'PATCH', `/watchlist/${this.itemId}`, { note: text });
  }

  /** @throws Error if the program, the checkout or the watchlist changed, or a file is left over */
  async expectStands(commit: string, note: string, when: string): Promise<void> {
    const { installed, token } = this.panel;
    const runs = await this.panel.commit();
    if (runs !== commit) throw new Error(`${when} ${runs} runs, not ${commit}.`);
    const git = async (words: string): Promise<string> =>
      (await this.machine.run(`sudo -u bellbird git -C ${CHECKOUT} ${words}`)).out.trim();
    const head = await git('rev-parse HEAD');
    if (head !== commit) throw new Error(`${when} the checkout is at ${head}, not at ${commit}.`);
    const changed = await git('status --porcelain');
    if (changed !== '') throw new Error(`${when} the checkout has changes: ${changed}`);
    const [item] = await installed.watched(token);
    if (item?.note !== note) throw new Error(`${when} the note is ${item?.note}, not ${note}.`);
    await until(`${when} the removal of the built files`, CLEARED_WITHIN_MS, async () =>
      this.machine.names(UPDATE).every((name) => !name.startsWith('work-')),
    );
  }
}

function expectEnded(shown: Shown | null, phase: string, what: string): void {
  if (shown?.phase !== phase) throw new Error(`${what} ended ${shown?.phase}: ${shown?.failure}`);
}

const times = ({ steps }: Shown): string =>
  steps
    .filter(({ endedAt, startedAt }) => endedAt !== null && endedAt - startedAt >= 1000)
    .map(({ name, startedAt, endedAt }) => `${name} ${Math.round(((endedAt ?? 0) - startedAt) / 1000)} s`)
    .join(', ');

/**
 * Updates to new commits: a good one, one that cannot be built, and one that crashes after changing the data.
 * @returns the running commit, and the observations
 */
async function updateOften(made: FromCheckout): Promise<{ runs: string; output: string }> {
  const { panel, upstream } = made;
  const runs = upstream.good('The next');
  await panel.begin();
  await made.note('written meanwhile');
  const good = await panel.ended();
  expectEnded(good, 'healthy', 'A good one');
  await made.expectStands(runs, 'written meanwhile', 'After a good one');
  upstream.unbuildable();
  await panel.begin();
  const unbuilt = await panel.ended();
  expectEnded(unbuilt, 'failed', 'One that does not build');
  await made.expectStands(runs, 'written meanwhile', 'After one that does not build');
  upstream.dying();
  await panel.begin();
  await made.note('before the bad one');
  const bad = await panel.ended();
  expectEnded(bad, 'rolledBack', 'One that dies');
  await made.expectStands(runs, 'before the bad one', 'After one that dies');
  return {
    runs,
    output: `good: stays (${good && times(good)}); does not build: ${unbuilt?.failure}; empties the lists and dies: ${bad?.failure} All is back`,
  };
}

/** Cuts the power in each step of an update. */
async function cutOften(made: FromCheckout, before: string): Promise<string> {
  const { panel, machine, upstream } = made;
  const next = upstream.good('Mended');
  const ends: string[] = [];
  for (const step of CUT_IN) {
    const when = `After a cut in "${step}"`;
    await made.note(when);
    await panel.begin();
    await panel.during(step);
    await machine.cutPower();
    await machine.boot();
    const phase = (await panel.ended())?.phase ?? 'none';
    const isNew = phase === 'healthy';
    await made.expectStands(isNew ? next : before, when, when);
    ends.push(`${step}: ${isNew ? 'new' : 'old'} (${phase})`);
  }
  return ends.join(', ');
}

async function updateByHand(made: FromCheckout): Promise<void> {
  const next = made.upstream.good('By hand');
  await made.note('before it was done by hand');
  await made.machine.run(docsLines('By hand', 'git pull'));
  await made.expectStands(next, 'before it was done by hand', 'By hand');
}

/**
 * Tests updates by git in a checkout under systemd: installed as the docs say, with good and bad commits, and
 * interrupted in each step.
 */
export async function checkout(bench: Bench): Promise<string> {
  const machine = Machine.create(bench.base, bench.folder, 'checkout');
  try {
    const began = performance.now();
    const made = await FromCheckout.create(bench, machine);
    const setUp = Math.round((performance.now() - began) / 1000);
    const { runs, output } = await updateOften(made);
    const cuts = await cutOften(made, runs);
    await updateByHand(made);
    return `set up in ${setUp} s; ${output}; the power cut in each step: ${cuts}`;
  } finally {
    await machine.remove();
  }
}
