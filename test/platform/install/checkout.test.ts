import { afterEach, describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { processEnd } from '#support/processEnd.ts';
import { tempFolders } from '#support/tempFolder.ts';
import {
  commit,
  createCheckout,
  createUpdateApp,
  git,
  versionOf,
  type UpdateApp,
  type UpdateAppOptions,
} from '#support/updateFixture.ts';
import { waitUntil } from '#support/waitUntil.ts';

const folder = tempFolders();
const apps: UpdateApp[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop();
});

function fixture(options: Partial<UpdateAppOptions> = {}) {
  const base = folder();
  const checkout = createCheckout(base);
  const app = createUpdateApp({
    executable: checkout.executable,
    running: { version: '1.0.0', commit: checkout.first },
    data: join(base, 'data'),
    ...options,
  });
  apps.push(app);
  return { base, checkout, app };
}

/** Nothing of the running version has changed, and no leftovers exist. */
function expectUntouched({ checkout, app }: ReturnType<typeof fixture>): void {
  expect(versionOf(checkout.executable)).toContain('the first');
  expect(checkout.head()).toBe(checkout.first);
  expect(git(checkout.folder, 'status', '--porcelain', '--untracked-files=no')).toBe('');
  expect(app.restarts()).toBe(0);
  expect(readdirSync(join(checkout.folder, 'dist')).filter((name) => /next|partial|back/.test(name))).toEqual(
    [],
  );
  expect(readdirSync(join(app.data, 'update'))).toEqual(['state.json']);
}

describe('an update of a checkout', () => {
  test('builds next to it, checks, swaps and restarts', async () => {
    const { checkout, app } = fixture();
    const to = checkout.publish('Add a thing', { migrations: 2 }, { 'src/thing.ts': 'export {};' });
    const answer = await app.update();
    expect(answer.json).toEqual({ updated: true, restarting: true, branch: 'main', id: expect.any(String) });
    const state = await app.ended();
    expect(state).toMatchObject({
      phase: 'trial',
      by: 'admin',
      from: { commit: checkout.first },
      to: { version: '1.0.0', commit: to },
      migrations: 2,
      previous: `${checkout.executable}.previous`,
      checkout: { folder: checkout.folder, from: checkout.first, to },
      failure: null,
    });
    expect(state.steps.map(({ name, outcome }) => `${name}: ${outcome}`)).toEqual([
      'Check free space: done',
      'Look for updates: done',
      'Take the sources: done',
      'Install libraries: done',
      'Build: done',
      'Check: done',
      'Swap: done',
    ]);
    expect(versionOf(checkout.executable)).toContain(to);
    expect(versionOf(`${checkout.executable}.previous`)).toContain('the first');
    // So that `bun start` does not build again.
    expect(versionOf(join(checkout.folder, 'dist/stamp.json'))).toContain(to);
    expect(checkout.head()).toBe(to);
    expect(existsSync(join(checkout.folder, 'src/thing.ts'))).toBe(true);
    expect(app.restarts()).toBe(1);
    expect(readdirSync(join(app.data, 'update'))).toEqual(['state.json']);
    const audited = app.app.db.$client.query('SELECT action, user_id FROM audit_entries').all();
    expect(audited).toEqual([{ action: 'update', user_id: (await app.app.user('admin')).id }]);
  });

  test('that does not build shows the last lines, without secrets', async () => {
    const all = fixture({ env: { BELLBIRD_METRICS_KEY: 'the-key-of-the-metrics' } });
    const buildFailure = 'one\ntwo: Bearer abcdefghijkl\nthree: the-key-of-the-metrics';
    all.checkout.publish('Break it', { buildFailure });
    await all.app.update();
    const state = await all.app.ended();
    expect(state).toMatchObject({ phase: 'failed', failure: 'The new version does not build.' });
    expect(state.logTail).toEqual(['one', 'two: Bearer [redacted]', 'three: [redacted]']);
    expect(state.steps.at(-1)).toMatchObject({
      name: 'Build',
      outcome: 'failed',
      endedAt: expect.any(Number),
    });
    expectUntouched(all);
  });

  test.each([
    ['fails its check', { checkExit: 1 }, /^The new version failed its own check\.$/],
    ['is not the requested version', { claims: 'another' }, /which is not the requested version/],
  ])('that %s', async (_, behaviour, failure) => {
    const all = fixture();
    all.checkout.publish('Break it', behaviour);
    await all.app.update();
    expect(await all.app.ended()).toMatchObject({ phase: 'failed', failure: expect.stringMatching(failure) });
    expectUntouched(all);
  });

  test('is refused in a checkout with changes, naming the first', async () => {
    const { checkout, app } = fixture();
    checkout.publish('Add a thing');
    for (const name of ['behaviour.json', 'package.json', 'scripts/build.ts', '.gitignore'])
      writeFileSync(join(checkout.folder, name), 'mine');
    const answer = await app.update();
    expect([answer.status, answer.json]).toEqual([
      400,
      {
        error:
          'The checkout has uncommitted changes: .gitignore, behaviour.json, package.json and 1 more. ' +
          'Commit or undo them, then try again.',
      },
    ]);
    expect(app.kept()).toMatchObject({ phase: 'failed' });
    expect((await app.check()).status).toBe(400);
  });

  test('is refused if an untracked file is in the way, and keeps the file', async () => {
    const { checkout, app } = fixture();
    checkout.publish('Add notes', {}, { 'notes.txt': 'theirs' });
    writeFileSync(join(checkout.folder, 'notes.txt'), 'mine');
    const { status, text } = await app.update();
    expect([status, text]).toEqual([
      400,
      expect.stringMatching(/cannot move to the new commits.*notes\.txt/),
    ]);
    expect(versionOf(join(checkout.folder, 'notes.txt'))).toBe('mine');
  });

  test('is refused without a network, and reveals no password', async () => {
    const { checkout, app } = fixture();
    git(checkout.folder, 'remote', 'set-url', 'origin', 'https://tess:hidden-word@127.0.0.1:1/none.git');
    const { status, text } = await app.update();
    expect(status).toBe(400);
    expect(text).toContain('New commits could not be fetched from origin');
    expect(JSON.stringify([text, app.kept(), app.app.lines])).not.toContain('hidden-word');
  });

  test.each([
    ['http', 'http://tess:hidden-word@127.0.0.1:1/none.git'],
    ['ext', 'ext::sh -c touch% /tmp/never'],
  ])('is refused over %s, which can be modified in transit', async (scheme, remote) => {
    const all = fixture();
    all.checkout.publish('Add a thing');
    git(all.checkout.folder, 'remote', 'set-url', 'origin', remote);
    const { status, text } = await all.app.update();
    expect([status, text]).toEqual([
      400,
      expect.stringContaining(
        `The remote origin uses ${scheme}, which does not protect against tampering. Use https or ssh`,
      ),
    ]);
    git(all.checkout.folder, 'config', 'branch.main.remote', remote);
    git(all.checkout.folder, 'config', `url.${remote}.insteadOf`, 'https://good.example/');
    git(all.checkout.folder, 'remote', 'set-url', 'origin', 'https://good.example/');
    expect((await all.app.update()).status).toBe(400);
    git(all.checkout.folder, 'config', 'branch.main.remote', 'origin');
    const again = await all.app.update();
    expect([again.status, again.text]).toEqual([400, expect.stringContaining(`origin uses ${scheme}`)]);
    expect(JSON.stringify([text, again.text, all.app.kept(), all.app.app.lines])).not.toContain(
      'hidden-word',
    );
    expectUntouched(all);
  });

  test('is refused while the last one is on trial', async () => {
    const trial = {
      isRunning: () => true,
      holdsChanges: () => false,
      whenOver: () => undefined,
      whenChangesOpen: () => undefined,
    };
    const { app } = fixture({ trial });
    expect((await app.update()).status).toBe(409);
  });
});

test('a second update is refused during the first, its steps are live, and stopping ends its processes', async () => {
  const { base, checkout, app } = fixture();
  checkout.publish('Wait', { holdIn: base });
  expect((await app.update()).status).toBe(200);
  const marker = join(base, 'building');
  await waitUntil('the build', () => existsSync(marker));
  const second = await app.update();
  expect([second.status, second.json]).toEqual([
    409,
    { error: 'An update is already running, started by admin.' },
  ]);
  const shown = await app.app.request('GET', '/api/admin/server/update', { as: 'admin' });
  expect(shown.json).toMatchObject({
    installation: 'checkout',
    noUpdate: null,
    update: {
      phase: 'preparing',
      steps: expect.arrayContaining([expect.objectContaining({ name: 'Build', outcome: 'running' })]),
    },
  });
  const pid = Number(versionOf(marker));
  await app.app.parts.updates.stop();
  await processEnd(pid);
  expect(app.kept()).toMatchObject({
    phase: 'failed',
    failure: 'The server was stopped while it was being updated.',
  });
  expect(versionOf(checkout.executable)).toContain('the first');
});

const HOOKS = [
  'post-checkout',
  'post-merge',
  'pre-commit',
  'reference-transaction',
  'post-index-change',
  'fsmonitor-watchman',
  'update',
  'pre-receive',
  'post-update',
  'post-rewrite',
  'pre-auto-gc',
];

/** A checkout with a hostile origin, and the paths that must never be created. */
function hostileFixture() {
  const { base, checkout, app } = fixture();
  const [executed, outside, run] = [join(base, 'executed'), join(base, 'outside'), join(base, 'run.sh')];
  mkdirSync(outside);
  const script = `#!/bin/sh\ntouch '${executed}'\n`;
  for (const repository of [checkout.origin, checkout.folder]) {
    for (const name of HOOKS) writeFileSync(join(repository, '.git/hooks', name), script, { mode: 0o755 });
  }
  writeFileSync(run, script, { mode: 0o755 });
  return { base, checkout, app, executed, outside, script, run };
}

type Fixture = ReturnType<typeof hostileFixture>;

/** The test creates only these; an update adds nothing to them. */
const OWN = ['checkout', 'data', 'origin', 'outside', 'run.sh'];

function expectNothingRun({ base, executed, outside }: Fixture): void {
  expect(existsSync(executed)).toBe(false);
  expect(readdirSync(outside)).toEqual([]);
  expect(readdirSync(base).sort()).toEqual(OWN);
}

/** The test’s own git runs hooks of the origin; from here on none may run. */
const update = ({ app, executed }: Fixture): ReturnType<UpdateApp['update']> => {
  rmSync(executed, { force: true });
  return app.update();
};

/** A commit in the origin whose tree has an entry with any name, even one that `git add` refuses. */
function publishEntry({ checkout: { origin } }: Fixture, name: string, text: string): string {
  const blob = Bun.spawnSync(['git', 'hash-object', '-w', '--stdin'], {
    cwd: origin,
    stdin: Buffer.from(text),
  });
  const id = blob.stdout.toString().trim();
  const tree = `${git(origin, 'ls-tree', 'HEAD')}\n100755 blob ${id}\t${name}\n`;
  const made = Bun.spawnSync(['git', 'mktree'], { cwd: origin, stdin: Buffer.from(tree) });
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  const next = git(origin, 'commit-tree', made.stdout.toString().trim(), '-p', 'HEAD', '-m', 'Hostile');
  git(origin, 'update-ref', 'HEAD', next);
  return next;
}

describe('an update from a hostile repository', () => {
  test('with hooks, filters, submodules, links and shell names runs nothing and writes nowhere else', async () => {
    const all = hostileFixture();
    const { checkout, app, executed, outside, run } = all;
    const { origin } = checkout;
    const names = [
      '-rf',
      '--upload-pack=touch executed',
      `$(touch ${executed.replaceAll('/', '_')})`,
      '`touch executed`; touch executed',
      'line\nbreak',
      '"quoted" \\ name',
      'ünïcödé ‮',
    ];
    for (const name of names) writeFileSync(join(origin, name), 'x');
    writeFileSync(join(origin, '.gitattributes'), '* filter=evil diff=evil merge=evil\n');
    writeFileSync(
      join(origin, '.gitmodules'),
      `[submodule "sub"]\n\tpath = sub\n\turl = ext::sh -c touch% ${executed}\n\tupdate = !touch ${executed}\n`,
    );
    symlinkSync(outside, join(origin, 'linked'));
    mkdirSync(join(origin, 'hooks'));
    writeFileSync(join(origin, 'hooks/post-checkout'), all.script, { mode: 0o755 });
    git(origin, 'update-index', '--add', '--cacheinfo', `160000,${checkout.first},sub`);
    for (const key of [
      'uploadpack.packObjectsHook',
      'core.fsmonitor',
      'core.sshCommand',
      'core.pager',
      'core.alternateRefsCommand',
    ])
      git(origin, 'config', key, run);
    mkdirSync(join(origin, 'sub'));
    const to = commit(origin, '$(touch executed) \u001b[31m', {});
    await update(all);
    const state = await app.ended();
    expect([state.phase, state.failure]).toEqual(['trial', null]);
    expect(checkout.head()).toBe(to);
    expect(versionOf(checkout.executable)).toContain(to);
    for (const name of names)
      expect([name, readFileSync(join(checkout.folder, name), 'utf8')]).toEqual([name, 'x']);
    expectNothingRun(all);
  });

  test.each(['.git', '..', '.GIT', 'git~1'])('whose tree has an entry %s is refused', async (name) => {
    const all = hostileFixture();
    publishEntry(all, name, all.script);
    const before = readFileSync(join(all.checkout.folder, '.git/config'), 'utf8');
    const answer = await update(all);
    if (answer.status === 200) await all.app.ended();
    expect(all.app.kept()?.phase).toBe('failed');
    expect(readFileSync(join(all.checkout.folder, '.git/config'), 'utf8')).toBe(before);
    expect(all.checkout.head()).toBe(all.checkout.first);
    expect(versionOf(all.checkout.executable)).toContain('the first');
    expectNothingRun(all);
  });
});
