import { expect, test } from 'bun:test';
import { createRandom } from '../../src/lib/random.ts';
import { needExecutable } from '../support/executable.ts';
import { killLaunch, type LaunchKill, someLaunchKill } from '../support/launchKills.ts';
import { tempFolders } from '../support/tempFolder.ts';

await needExecutable();
const newFolder = tempFolders();

/** `bun scripts/killDrill.ts` does many more. */
const random = createRandom(20_261_125);
const KILLS: LaunchKill[] = [
  ...[0, 2, 5, 9, 14, 20].map((ms) => ({ whom: 'launcher' as const, after: 'server' as const, ms })),
  ...Array.from({ length: 12 }, () => someLaunchKill(random)),
];

test('whoever is killed at whatever moment, nothing is left behind and the next start serves', async () => {
  const dataDir = newFolder();
  const wrong: string[] = [];
  for (const kill of KILLS) {
    const problem = await killLaunch(dataDir, kill);
    if (problem !== null) wrong.push(`${JSON.stringify(kill)}: ${problem}`);
  }
  expect(wrong).toEqual([]);
}, 240_000);
