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
import { tempFolders } from '../../../support/tempFolder.ts';
import {
  commit,
  createCheckout,
  createUpdateApp,
  git,
  saysOf,
  type UpdateApp,
} from '../../../support/updateStage.ts';

const folder = tempFolders();
const apps: UpdateApp[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop();
});

const HOOKS = [
  ...['post-checkout', 'post-merge', 'pre-commit', 'reference-transaction', 'post-index-change'],
  ...['fsmonitor-watchman', 'update', 'pre-receive', 'post-update', 'post-rewrite', 'pre-auto-gc'],
];

/** A checkout whose origin is hostile, and what must never come into being. */
function stage() {
  const base = folder();
  const checkout = createCheckout(base);
  const executed = join(base, 'executed');
  const outside = join(base, 'outside');
  mkdirSync(outside);
  const app = createUpdateApp({
    executable: checkout.executable,
    running: { version: '1.0.0', commit: checkout.first },
    data: join(base, 'data'),
  });
  apps.push(app);
  const script = `#!/bin/sh\ntouch '${executed}'\n`;
  for (const repository of [checkout.origin, checkout.folder]) {
    for (const name of HOOKS) writeFileSync(join(repository, '.git/hooks', name), script, { mode: 0o755 });
  }
  writeFileSync(join(base, 'run.sh'), script, { mode: 0o755 });
  return { base, checkout, app, executed, outside, script, run: join(base, 'run.sh') };
}

type Stage = ReturnType<typeof stage>;

/** Of the test's own making are only these; an update adds nothing to them. */
const OWN = ['checkout', 'data', 'origin', 'outside', 'run.sh'];

function expectNothingRun({ base, executed, outside }: Stage): void {
  expect(existsSync(executed)).toBe(false);
  expect(readdirSync(outside)).toEqual([]);
  expect(readdirSync(base).sort()).toEqual(OWN);
}

/** The test's own git runs hooks of the origin; from here on nobody may. */
const update = ({ app, executed }: Stage): ReturnType<UpdateApp['update']> => {
  rmSync(executed, { force: true });
  return app.update();
};

/** A commit in the origin whose tree holds an entry of any name, which `git add` would refuse. */
function publishEntry({ checkout: { origin } }: Stage, name: string, text: string): string {
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
  test('with hooks, filters, submodules, links and names that shells would run, runs nothing and writes nowhere else', async () => {
    const all = stage();
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
    expect(saysOf(checkout.executable)).toContain(to);
    for (const name of names)
      expect([name, readFileSync(join(checkout.folder, name), 'utf8')]).toEqual([name, 'x']);
    expectNothingRun(all);
  });

  test.each(['.git', '..', '.GIT', 'git~1'])('whose tree has an entry %s is refused', async (name) => {
    const all = stage();
    publishEntry(all, name, all.script);
    const before = readFileSync(join(all.checkout.folder, '.git/config'), 'utf8');
    const answer = await update(all);
    if (answer.status === 200) await all.app.ended();
    expect(all.app.kept()?.phase).toBe('failed');
    expect(readFileSync(join(all.checkout.folder, '.git/config'), 'utf8')).toBe(before);
    expect(all.checkout.head()).toBe(all.checkout.first);
    expect(saysOf(all.checkout.executable)).toContain('the first');
    expectNothingRun(all);
  });
});
