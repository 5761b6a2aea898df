import { openDb } from '#platform/db/open.ts';
import { finish } from '#platform/http/readQueue.ts';
import { announcementSearch } from '#subjects/announcements/server/search.ts';
import { AnnouncementStore } from '#subjects/announcements/server/store.ts';
import { Recent } from '#subjects/announcements/server/recent.ts';
import { take } from './processorTime.ts';
import { wantedWords } from '#subjects/announcements/rules/searchWords.ts';

/**
 * Run as a process of its own with the file of a database: prints what its resident memory grew by when the recent
 * announcements were loaded and everything was searched, in MB, and what processor time each
 * search took, ms.
 */
const [path = '', since = '', from = ''] = process.argv.slice(2);

const TYPED = [
  're',
  'report',
  'quarterly act',
  'director',
  'change of directors int',
  'trading halt',
  'notification',
  'cleansing',
  'co',
  'annual general meeting',
  'no such words',
  'update buy back',
  'appendix 2a',
  'market up',
];
const ROUNDS = 15;

function residentMb(): number {
  Bun.gc(true);
  return process.memoryUsage().rss / 1024 / 1024;
}

const { db } = openDb({ path, copyFolder: null, now: 0 });
const search = announcementSearch(db, 'bench');
const store = new AnnouncementStore(db, 'bench');
const until = Number.MAX_SAFE_INTEGER / 2000;
const find = (words: string, code: string | null = null) =>
  finish(search({ words: wantedWords(words), code, span: null, until, limit: 50 }));
// Code and buffers that any use brings are no part of it.
find('xyz');
store.since(until);
const before = residentMb();

const recent = new Recent();
recent.load(store.since(Number(from)), since);
const times: number[] = [];
let found = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  for (const typed of TYPED) {
    const { processor } = take(() => void (found += find(typed).length));
    times.push(processor);
  }
}
await Bun.sleep(500);
console.log(JSON.stringify({ grown: residentMb() - before, recent: recent.size, found, times }));
