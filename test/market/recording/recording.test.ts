import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blockHeaderBytes, checksumOf } from '#market/recording/blocks.ts';
import { type Recording } from '#market/recording/dayBook.ts';
import { RecordingError } from '#market/recording/types.ts';
import type { OutFile } from '#market/recording/live.ts';
import { openRecording } from '#market/recording/open.ts';
import type { Stock, StockUpdate } from '#market/rules/stock.ts';
import { TEN, asRecorded, player, recordedMarket } from '#support/recordedMarket.ts';
import { tempFolders } from '#support/tempFolder.ts';

const folder = tempFolders();
const newFile = (): string => join(folder(), 'day.bellbird');

/** Numbers as sources send them: prices on steps, long figures, tiny and huge ones, null. */
const price = fc.oneof(
  fc.integer({ min: 1, max: 90_000 }).map((mils) => mils / 1000),
  fc.constantFrom(0.0005, 1 / 3, 1e-7, 123_456.789_012, null),
);
const amount = fc.oneof(fc.nat({ max: 5_000_000 }), fc.constantFrom(0, 0.5, 12.345, 9e12, null));
const surplus = fc.oneof(fc.integer({ min: -1e6, max: 1e6 }), fc.constantFrom(-1.5, null));
const code = fc.constantFrom('BHP', 'CBA', 'A2M', 'XRO', '360');

const update = fc.record(
  {
    code,
    last: price,
    close: price,
    volume: amount,
    value: amount,
    vwap: fc.integer({ min: 1, max: 90_000 }).map((tenths) => tenths / 10_000),
    match_price: price,
    match_vol: amount,
    buy_surplus: surplus,
    relativeVolume: fc.nat({ max: 90_000 }).map((mils) => mils / 1000),
    name: fc.string({ maxLength: 10 }),
    status: fc.constantFrom('Open' as const, 'Halted' as const, 'Pre Open' as const),
    age: fc.integer({ min: 0, max: 30_000 }),
  },
  { requiredKeys: ['code'] },
);

const step = fc.record({
  ms: fc.integer({ min: 1, max: 240_000 }),
  updates: fc.array(update, { maxLength: 4 }),
  removed: fc.option(fc.tuple(code), { freq: 6, nil: [] as string[] }),
});

type Step = { ms: number; updates: (StockUpdate & { age?: number })[]; removed: string[] };

async function recordSteps(steps: readonly Step[]) {
  const fixture = await recordedMarket({ path: newFile() });
  fixture.tick(1, [{ code: 'BHP', last: 44.5, volume: 10 }]);
  const states = [{ time: fixture.now(), stocks: asRecorded(fixture.market.all().values()) }];
  for (const { ms, updates, removed } of steps) {
    const time = fixture.now() + ms;
    const timed = updates.map(({ age, ...one }) =>
      age === undefined ? one : { ...one, quoteTime: time - age },
    );
    fixture.tick(ms, timed, removed);
    states.push({ time: fixture.now(), stocks: asRecorded(fixture.market.all().values()) });
  }
  await fixture.recorder.end();
  expect(fixture.recorder.failure()).toBeNull();
  return { ...fixture, states };
}

describe('a recording', () => {
  test('returns the market’s state at every moment, and plays from any moment to any later one', async () => {
    const withoutPreOpen = ({ preOpen: _preOpen, ...stock }: Stock) => stock;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        async (steps, one, other) => {
          const { path, states } = await recordSteps(steps as Step[]);
          const recording = openRecording(path);
          expect(recording.isCutOff).toBe(false);
          for (const { time, stocks } of states) {
            const base = recording.baseAt(time);
            expect(base.time).toBe(time);
            expect(asRecorded(base.stocks)).toEqual(stocks);
          }
          const [a, b] = [one % states.length, other % states.length].sort((x, y) => x - y);
          const from = states[a ?? 0]?.time ?? TEN;
          const until = states[b ?? 0];
          const { market, play } = player(recording.baseAt(from));
          play(recording.events(from, until?.time ?? TEN));
          const played = asRecorded(market.all().values());
          expect(played.map(withoutPreOpen)).toEqual((until?.stocks ?? []).map(withoutPreOpen));
          recording.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  test('contains announcements and the calendar, including withdrawals', async () => {
    const release = (id: string) => ({
      id,
      code: 'BHP',
      headline: 'Quarterly report',
      url: null,
      document: null,
      announcementTypes: ['Periodic report'],
      isPriceSensitive: true,
      time: TEN,
    });
    const fixture = await recordedMarket({ path: newFile(), releases: [release('1')] });
    fixture.tick(1000, [{ code: 'BHP', last: 44.5 }]);
    fixture.other({ kind: 'announcements', releases: [release('2')] });
    fixture.tick(1000, [{ code: 'BHP', last: 44.6 }]);
    fixture.other({ kind: 'withdrawn', ids: ['1'] });
    await fixture.recorder.end();
    const recording = openRecording(fixture.path);
    expect(recording.baseAt(TEN).releases).toEqual([release('1')]);
    expect(recording.baseAt(TEN + 1000).releases).toEqual([release('1'), release('2')]);
    expect(recording.baseAt(recording.until).releases).toEqual([release('2')]);
    expect([...recording.events(TEN, recording.until)].map(({ kind }) => kind)).toEqual([
      'stocks',
      'announcements',
      'stocks',
      'withdrawn',
    ] as never);
    recording.close();
  });
});

describe('a damaged file', () => {
  /** A short recording of three stocks over twelve minutes. */
  async function aRecording(through?: (file: OutFile) => OutFile) {
    const path = join(folder(), 'day.bellbird');
    const fixture = await recordedMarket({ path, ...(through && { through }) });
    for (let tick = 0; tick < 72; tick += 1) {
      const codes = ['BHP', 'CBA', 'A2M'];
      fixture.tick(
        10_000,
        codes.map((code, at) => ({ code, last: 10 + at + (tick % 5) / 100, volume: tick * 100 })),
      );
      // Lets the pending writes finish.
      if (tick % 6 === 0) await Bun.sleep(1);
    }
    await fixture.recorder.end();
    return fixture;
  }

  function readAll(recording: Recording): number {
    let count = 0;
    for (const event of recording.events(recording.from, recording.until))
      count += event.kind === 'stocks' ? 1 : 0;
    for (let time = recording.from; time <= recording.until; time += 97_000) recording.baseAt(time);
    recording.minutes('BHP', recording.until);
    return count;
  }

  /** The result of opening and reading a file: the number of events, or a sentence. Other errors are rethrown. */
  function outcome(path: string): number | string {
    try {
      const recording = openRecording(path);
      try {
        return readAll(recording);
      } finally {
        recording.close();
      }
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error;
      return error.message;
    }
  }

  const isSentence = (text: string): boolean => /^[A-Z/].{10,400}[.]$/s.test(text);

  describe('a recording that was cut off', () => {
    test('at any byte opens with its complete part, or reports an error', async () => {
      const { path } = await aRecording();
      const bytes = readFileSync(path);
      const cut = join(folder(), 'cut.bellbird');
      let opened = 0;
      for (let length = bytes.length; length >= 0; length -= length > 400 ? 37 : 1) {
        writeFileSync(cut, bytes.subarray(0, length));
        const result = outcome(cut);
        if (typeof result === 'string') expect(isSentence(result)).toBe(true);
        else opened += 1;
      }
      expect(opened).toBeGreaterThan(100);
    });

    test('with any byte changed reads, or reports an error', async () => {
      const { path } = await aRecording();
      const bytes = readFileSync(path);
      const turned = join(folder(), 'turned.bellbird');
      for (let at = 0; at < bytes.length; at += at < 300 ? 1 : 11) {
        const copy = new Uint8Array(bytes);
        copy[at] = (copy[at] ?? 0) ^ 0x41;
        writeFileSync(turned, copy);
        const result = outcome(turned);
        if (typeof result === 'string') expect(isSentence(result)).toBe(true);
      }
    });
  });

  describe('a file that is not a recording', () => {
    const written = (bytes: string | Uint8Array): string => {
      const path = join(folder(), 'other.bellbird');
      writeFileSync(path, bytes);
      return path;
    };

    test('reports an error for a text, a zip, an empty file, a folder and a missing file', () => {
      expect(outcome(written('Dear diary,\n'))).toMatch(/is not a Bellbird recording\.$/);
      expect(outcome(written('PK\u0003\u0004 and more of a zip'))).toMatch(/is not a Bellbird recording\.$/);
      expect(outcome(written(''))).toMatch(/is empty, so it is not a recording\.$/);
      expect(outcome(written('BELLBREC'))).toMatch(/is cut off and has no content\.$/);
      const inside = join(folder(), 'folder.bellbird');
      mkdirSync(inside);
      expect(outcome(inside)).toMatch(/is not a file\. Enter the path of a recording\.$/);
      expect(outcome(join(inside, 'none'))).toMatch(/^The recording .* does not exist\.$/);
    });

    test('of another version is named as that', async () => {
      const { path } = await aRecording();
      const bytes = readFileSync(path);
      bytes.writeUInt32LE(7, 8);
      expect(outcome(written(new Uint8Array(bytes)))).toMatch(
        /has format version 7, but this Bellbird reads version 1\.$/,
      );
    });

    test('with a block that claims or unpacks to gigabytes is rejected cheaply', async () => {
      const { path } = await aRecording();
      const bytes = new Uint8Array(readFileSync(path));
      const headLength = new DataView(bytes.buffer).getUint32(12, true);
      const start = bytes.subarray(0, 20 + headLength);
      const claim = { kind: 'base' as const, from: TEN, until: TEN, raw: 10, checksum: 0 };
      const claims = Buffer.concat([
        start,
        blockHeaderBytes({ ...claim, stored: 0xffff_fff0 }),
        new Uint8Array(50),
      ]);
      expect(outcome(written(new Uint8Array(claims)))).toMatch(/cut off before its first prices\.$/);
      const bomb = Bun.zstdCompressSync(new Uint8Array(150_000_000));
      const header = { ...claim, stored: bomb.length, raw: 1000, checksum: checksumOf(bomb) };
      const before = process.memoryUsage().rss;
      expect(
        outcome(written(new Uint8Array(Buffer.concat([start, blockHeaderBytes(header), bomb])))),
      ).toMatch(/damaged/);
      expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    });
  });

  test('a full disk ends the recording with an error, and the written part opens', async () => {
    /** A file that accepts this many bytes. */
    const small =
      (room: number) =>
      (file: OutFile): OutFile => {
        let left = room;
        const full = (): never => {
          throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        };
        const write = async (data: Uint8Array, offset: number, length: number, position: number) => {
          const part = Math.min(left, length);
          if (part === 0) full();
          left -= part;
          return file.write(data, offset, part, position);
        };
        return {
          write: write as OutFile['write'],
          datasync: () => file.datasync(),
          truncate: (to) => file.truncate(to),
          close: () => file.close(),
        } as OutFile;
      };

    const { path: reference } = await aRecording();
    const size = readFileSync(reference).length;
    for (const share of [0.3, 0.6, 0.95]) {
      const fixture = await aRecording(small(Math.round(size * share)));
      expect(fixture.recorder.failure()).toBe(
        'The recording was stopped because the disk is full. The part that was saved can be played. Free some space.',
      );
      const recording = openRecording(fixture.path);
      expect(recording.isCutOff).toBe(true);
      readAll(recording);
      recording.close();
    }
  });
});
