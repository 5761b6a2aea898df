import { describe, expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openRecording } from '../../src/market/recording/open.ts';
import { executable, needExecutable, runBellbird } from '../support/executable.ts';
import { tempFolders } from '../support/tempFolder.ts';
import { waitUntil } from '../support/waitUntil.ts';

await needExecutable();
const newFolder = tempFolders();

const SIMULATED = { BELLBIRD_SIM_START: '10:01', BELLBIRD_SIM_SPEED: '60', BELLBIRD_NEWS: 'simulator' };

describe('bellbird record', () => {
  test('writes the market until the time, says so, and does not write over it', async () => {
    const cwd = newFolder();
    const file = join(cwd, 'morning.bellbird');
    const done = await runBellbird(['record', file, '--until', '10:09'], { env: SIMULATED, cwd });
    expect(done.stderr).toBe('');
    expect(done.stdout).toMatch(
      /^Recording Simulated, session of \d{4}-\d{2}-\d{2}, until 10:09 in Sydney\./,
    );
    const [, stocks] =
      /Written: .{1,200}morning\.bellbird \(.{1,20}\), (\d{1,4}) stocks from 10:01 to 10:(?:09|1\d) in Sydney\./.exec(
        done.stdout,
      ) ?? [];
    expect(done.code).toBe(0);
    const recording = openRecording(file);
    expect(recording.isCutOff).toBe(false);
    // How many the simulator has planned by then depends on the machine, and from when on each of them trades.
    expect(Number(stocks)).toBeGreaterThan(0);
    const recorded = recording.baseAt(recording.until).stocks.map(({ code }) => code);
    expect(recorded).toHaveLength(Number(stocks));
    const minutes = recorded.flatMap((code) => recording.minutes(code, recording.until));
    expect(minutes.length).toBeGreaterThan(0);
    recording.close();
    const again = await runBellbird(['record', file], { env: SIMULATED, cwd });
    expect(again.code).toBe(1);
    expect(again.stderr.trim()).toBe(
      `There is a file ${file} already. Name another, or move that away first.`,
    );
  });

  test('killed, leaves a file that opens', async () => {
    const cwd = newFolder();
    const file = join(cwd, 'killed.bellbird');
    const child = Bun.spawn([executable, 'record', file], {
      env: { PATH: process.env['PATH'] ?? '', ...SIMULATED },
      ...{ cwd, stdout: 'ignore', stderr: 'ignore' },
    });
    // The first base states are on the disk by then.
    await waitUntil(
      'base states on the disk',
      () => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 200_000,
    );
    child.kill('SIGKILL');
    await child.exited;
    const recording = openRecording(file);
    expect(recording.isCutOff).toBe(true);
    expect(recording.baseAt(recording.until).stocks.length).toBeGreaterThan(100);
    recording.close();
  });

  test('refuses what it can not understand', async () => {
    const cwd = newFolder();
    const cases = [
      { args: [], text: /^record takes the file to write/ },
      { args: ['a', 'b'], text: /^record takes one file/ },
      { args: ['--fast'], text: /^record has no option "--fast"/ },
      { args: ['a', '--until', 'noon'], text: /^"noon" is not a time of day/ },
    ];
    for (const { args, text } of cases) {
      const { code, stderr } = await runBellbird(['record', ...args], { env: SIMULATED, cwd });
      expect(code).toBe(2);
      expect(stderr).toMatch(text);
    }
  });
});
