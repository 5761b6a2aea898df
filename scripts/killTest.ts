/**
 * Kills the supervisor, its server or both at random moments of a start, and checks the remains and the next
 * start. Usage: bun scripts/killTest.ts [repetitions, default 500] [seed]. It needs a build.
 */
import { rmSync } from 'node:fs';
import { createRandom } from '../src/lib/random.ts';
import { needExecutable, temporaryFolder } from '../test/support/executable.ts';
import { killLaunch, someLaunchKill } from '../test/support/launchKills.ts';

await needExecutable();
const count = Number(process.argv[2] ?? 500);
const seed = Number(process.argv[3] ?? 1);
const random = createRandom(seed);
const dataDir = await temporaryFolder();
let failed = 0;
for (let done = 0; done < count; done += 1) {
  const kill = someLaunchKill(random);
  const problem = await killLaunch(dataDir, kill);
  if (problem === null) continue;
  failed += 1;
  console.log(`FAIL ${JSON.stringify(kill)}: ${problem}`);
}
console.log(
  `${count - failed} of ${count} kills (seed ${seed}) left nothing behind and the next start served.`,
);
if (failed === 0) rmSync(dataDir, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
