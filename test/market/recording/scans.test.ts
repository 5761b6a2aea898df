import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { openRecording } from '../../../src/market/recording/open.ts';
import { readRecordedScan } from '../../support/recordedScan.ts';
import { recordScans } from '../../support/scanRecording.ts';
import { tempFolders } from '../../support/tempFolder.ts';

const newFolder = tempFolders();
const FIXTURES = join(import.meta.dir, '..', '..', 'fixtures', 'recordings');
const DATE = '2026-01-19';

test('the recording of the fixtures tells what the scan tells, and no more', async () => {
  const recording = openRecording(join(FIXTURES, `${DATE}.bellbird`));
  const cba = readRecordedScan(FIXTURES, DATE).find(({ cells }) => cells.get('name') === 'CBA')?.cells;
  const at = (hour: number, minute: number) =>
    recording.baseAt(fromSydney(DATE, hour, minute)).stocks.find(({ code }) => code === 'CBA');
  expect(at(9, 0)).toMatchObject({ last: null, volume: null, close: 154.3 });
  expect(at(12, 0)).toMatchObject({
    last: cba?.get('open'),
    open: cba?.get('open'),
    high: null,
    volume: null,
  });
  expect(at(17, 0)).toMatchObject({
    last: cba?.get('close'),
    high: cba?.get('high'),
    volume: cba?.get('volume'),
  });
  expect(recording.baseAt(recording.until).releases.length).toBeGreaterThan(10);
  recording.close();
});

test('the fixture is what the script makes of the excerpt', async () => {
  const path = join(newFolder(), 'made.bellbird');
  await recordScans(FIXTURES, DATE, path);
  const [made, kept] = [openRecording(path), openRecording(join(FIXTURES, `${DATE}.bellbird`))];
  expect([...made.events(made.from, made.until)]).toEqual([...kept.events(kept.from, kept.until)]);
  made.close();
  kept.close();
  expect(readFileSync(path).length).toBeLessThan(200_000);
});
