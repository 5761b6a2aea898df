import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { createHttpClient } from '../../../src/lib/httpClient/client.ts';
import { createLog, type LogLine } from '../../../src/lib/log.ts';
import { StartError } from '../../../src/lib/startError.ts';
import { chooseSource } from '../../../src/sources/quotes/choose.ts';
import { recordFile } from '../../support/recordedFile.ts';
import { createFakeClock } from '../../support/testApp.ts';

const folder = mkdtempSync(join(tmpdir(), 'bellbird-replay-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (hour: number, minute: number): number => fromSydney('2026-01-19', hour, minute);
const whole = join(folder, 'whole.bellbird');
await recordFile({
  path: whole,
  from: at(10, 0),
  until: at(10, 8),
  stepMs: 5000,
  codes: new Set(['BHP', 'CBA']),
});

async function choose(path: string) {
  const lines: LogLine[] = [];
  const wall = createFakeClock();
  const { config } = loadConfig({ BELLBIRD_FEED: 'replay', BELLBIRD_REPLAY_FILE: path });
  const source = await chooseSource(config, {
    wall,
    log: createLog((line) => lines.push(line)),
    http: createHttpClient({ clock: wall }),
  });
  return { source, lines };
}

describe('the recording that is to be played', () => {
  test('one that was cut off is played as far as it is whole, and the log says so', async () => {
    const path = join(folder, 'cut.bellbird');
    const bytes = readFileSync(whole);
    writeFileSync(path, bytes.subarray(0, bytes.length - 30));
    const { source, lines } = await choose(path);
    expect(source.replay?.state().isCutOff).toBe(true);
    expect(lines.map(({ message }) => message)).toEqual([
      'The recording was cut off; what is whole of it is played',
    ]);
    await source.stop();
  });

  const text = join(folder, 'notes.txt');
  writeFileSync(text, 'These are notes and no recording, however long they are.');
  for (const [what, path] of Object.entries({ missing: join(folder, 'none'), text, folder })) {
    test(`what is none (${what}) ends the start with a sentence`, async () => {
      const problem = await choose(path).catch((error: unknown) => error);
      expect(problem).toBeInstanceOf(StartError);
      expect((problem as Error).message).toMatch(/ .*\.$/);
    });
  }
});
