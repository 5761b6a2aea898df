import { resolve } from 'node:path';
import { humanSize } from '../src/lib/humanSize.ts';
import { recordScans } from '../test/support/scanRecording.ts';

// Turns a recorded day (one scan after the close, and its announcements) into a recording for tests and replays.
const [folder, date, file] = process.argv.slice(2);
if (folder === undefined || date === undefined || file === undefined) {
  console.error('Usage: bun scripts/recordingFromScans.ts FOLDER 2026-01-19 FILE');
  process.exit(2);
}
const { stocks, bytes } = await recordScans(resolve(folder), date, resolve(file));
console.log(`Written: ${file} (${humanSize(bytes)}), ${String(stocks)} stocks.`);
