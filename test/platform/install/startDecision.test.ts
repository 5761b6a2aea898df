import { describe, expect, test } from 'bun:test';
import { createBackoff } from '#platform/install/supervisor/launch.ts';
import { createOutputTail } from '#platform/install/supervisor/childRun.ts';
import { findSupervisor, HEAP_SETTINGS } from '#platform/install/shared/ownProcess.ts';
import { createJobRunner } from '#platform/install/shared/jobProcess.ts';
import { decideStart, type UpdatePhase, type UpdateState } from '#platform/install/shared/updateState.ts';
import { anUpdateState } from '#support/updateFixture.ts';

const state = (phase: UpdatePhase, more: Partial<UpdateState> = {}) => anUpdateState({ phase, ...more });

const cases: [string, UpdateState | null, string][] = [
  ['no update', null, 'serve'],
  ['preparing', state('preparing'), 'serve'],
  ['swapping', state('swapping'), 'rollBack'],
  ['trial', state('trial'), 'try'],
  ['a trial that was interrupted once', state('trial', { starts: 1 }), 'try'],
  ['a trial that was interrupted twice', state('trial', { starts: 2 }), 'rollBack'],
  ['rolling back', state('rollingBack', { failure: 'It died.' }), 'rollBack'],
  ['rolled back', state('rolledBack', { starts: 1 }), 'serve'],
];
test.each(cases)('the first action of a start %s', (_, given, kind) =>
  expect(decideStart(given).kind).toBe(kind as never),
);

describe('the supervisor', () => {
  const at = (
    env: Record<string, string>,
    more: { pid?: number; ppid?: number; box?: boolean; init?: string } = {},
  ) =>
    findSupervisor('auto', env, {
      pid: more.pid ?? 500,
      ppid: more.ppid ?? 400,
      isInContainer: () => more.box ?? false,
      initName: () => more.init ?? 'systemd',
    });
  test('is systemd, which names the process that it started', () => {
    expect(at({ SYSTEMD_EXEC_PID: '500', INVOCATION_ID: 'a' })).toBe('systemd');
  });
  test('is not systemd if only the terminal belongs to a unit', () => {
    expect(at({ SYSTEMD_EXEC_PID: '300', INVOCATION_ID: 'a', JOURNAL_STREAM: '8:1' })).toBe('parent');
    expect(at({ INVOCATION_ID: 'a' })).toBe('parent');
  });
  test('is an older systemd if that is the parent process', () => {
    expect(at({ INVOCATION_ID: 'a' }, { ppid: 1 })).toBe('systemd');
  });
  test('is a container if this is its main process or it has an init', () => {
    expect(at({}, { pid: 1, ppid: 0, box: true })).toBe('docker');
    expect(at({}, { pid: 7, ppid: 1, box: true, init: 'docker-init' })).toBe('docker');
    expect(at({}, { box: true })).toBe('parent');
    // Left behind by a shell that ended.
    expect(at({}, { pid: 70, ppid: 1, box: true, init: 'sleep' })).toBe('parent');
    expect(at({}, { ppid: 1 })).toBe('parent');
  });
  test('is set by the operator', () => {
    const facts = { pid: 500, ppid: 1, isInContainer: () => true, initName: () => 'tini' };
    expect(findSupervisor('no', { INVOCATION_ID: 'a' }, facts)).toBe('parent');
    expect(findSupervisor('yes', {}, { ...facts, ppid: 400 })).toBe('other');
  });
});

test('a server that crashes repeatedly is restarted with growing delays, one that ran well immediately', () => {
  const next = createBackoff();
  expect(Array.from({ length: 8 }, () => next(10))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000,
  ]);
  expect(next(6 * 60_000)).toBe(1000);
  expect(next(10)).toBe(2000);
});

test('the heap settings are known to the runtime', () => {
  const env = { PATH: process.env.PATH ?? '', ...HEAP_SETTINGS, BUN_JSC_dumpOptions: '1' };
  const { stderr, stdout } = Bun.spawnSync([process.execPath, '-e', '0'], { env });
  const printed = stdout.toString() + stderr.toString();
  for (const [name, value] of Object.entries(HEAP_SETTINGS)) {
    expect(printed).toContain(`${name.replace('BUN_JSC_', ' ')}=${value} `);
  }
});

/** A process that prints its job and its environment as its last line. */
const TELLS = `
console.log(JSON.stringify({ progress: 0.5 }));
console.log(JSON.stringify({ ok: true, job: JSON.parse(await Bun.stdin.text()), names: Object.keys(process.env) }));`;

test('a job receives trusted certificates, its own input, and nothing else of the environment', async () => {
  const env = { NODE_EXTRA_CA_CERTS: '/nas.pem', SSL_CERT_FILE: '', BELLBIRD_BACKUP_PASSWORD: 'planted' };
  const run = createJobRunner('list-target', env, () => [process.execPath, '-e', TELLS]);
  const shares: number[] = [];
  const report = await run({ place: 'here' }, (share) => shares.push(share)).finished;
  expect(report).toMatchObject({ ok: true, job: { place: 'here' } });
  expect(shares).toEqual([0.5]);
  const names = JSON.stringify(report);
  expect(names).toContain('NODE_EXTRA_CA_CERTS');
  expect(names).not.toMatch(/SSL_CERT_FILE|BELLBIRD|HOME/);
});

test('the last lines of a program’s output are kept, shortened and redacted', async () => {
  const tail = createOutputTail((line) => line.replace('secret', '[hidden]'));
  let passed = 0;
  const lines = Array.from({ length: 70 }, (_, index) => `line ${index} secret`);
  const text = `${lines.join('\n')}\n${'x'.repeat(2000)}\n\nlast, without an end`;
  await tail.follow(new Blob([text]).stream(), ({ byteLength }) => void (passed += byteLength));
  expect(passed).toBe(text.length);
  const kept = tail.lines();
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([60, 'line 12 [hidden]', 'last, without an end']);
  expect(kept.at(-2)).toBe('x'.repeat(500));
});
