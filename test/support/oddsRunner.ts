/* Collects the entries of saved odds, until its parent kills it: `bun oddsRunner.ts <data folder> <time, epoch ms>`. */
import { join } from 'node:path';
import { openDb } from '#platform/db/open.ts';
import { createOddsApp } from './oddsApp.ts';
import { createFakeClock } from './testApp.ts';

const [, , dataDir = '', now = ''] = process.argv;
const { db } = openDb({ path: join(dataDir, 'bellbird.db'), copyFolder: null, now: Number(now) });
const app = createOddsApp({ dataDir, db, clock: createFakeClock(Number(now)) });
console.log('collecting');
await app.services.odds.collect();
console.log('collected');
process.exit(0);
