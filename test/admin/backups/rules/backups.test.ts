import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  backupName,
  maxBackupAge,
  type NamedBackup,
  readBackupName,
  readTarget,
  surplusAtTarget,
  surplusBackups,
  targetName,
} from '#admin/backups/rules/keptBackups.ts';
import {
  isBackupDue,
  isNightDue,
  lastNight,
  nextBackup,
  nextNight,
} from '#admin/backups/rules/nightlyTime.ts';
import { sydneyDate, sydneyParts } from '#lib/sydneyTime.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (iso: string): number => Date.parse(iso);

describe('a backup name', () => {
  test('contains the kind and the time', () => {
    const now = at('2026-11-22T16:10:05.321Z');
    expect(backupName('nightly', now)).toBe('nightly-2026-11-22T16-10-05-321Z.db');
    expect(readBackupName('manual-2026-11-22T16-10-05-000Z.db')).toEqual({
      name: 'manual-2026-11-22T16-10-05-000Z.db',
      kind: 'manual',
      madeAt: at('2026-11-22T16:10:05Z'),
    });
    expect(readBackupName('before-0010_administration-2026-11-22T16-10-05-321Z.db')?.kind).toBe('migration');
  });

  test('is not recognised in any other file name', () => {
    for (const name of [
      'nightly-2026-11-22T16-10-05-000Z.db.partial',
      'nightly-2026-13-42T16-10-05-000Z.db',
      '../nightly-2026-11-22T16-10-05-000Z.db',
      'mine.db',
      '',
    ])
      expect([name, readBackupName(name)]).toEqual([name, null]);
  });
});

describe('03:10 in Sydney', () => {
  test('exists once on every date', () => {
    fc.assert(
      fc.property(fc.integer({ min: at('2020-01-01'), max: at('2040-01-01') }), (now) => {
        const last = lastNight(now);
        expect(last).toBeLessThanOrEqual(now + 1000);
        expect(now - last).toBeLessThanOrEqual(25 * HOUR);
        expect(sydneyParts(last)).toMatchObject({ hour: 3, minute: 10 });
        expect(nextNight(last)).toBeGreaterThan(now - 1000);
      }),
      { numRuns: 300 },
    );
  });

  test('the job is due once per night, later by its jitter, and after a missed night', () => {
    const night = at('2026-11-22T16:10:00Z');
    const jitter = 4 * 60_000;
    const yesterday = night - DAY + jitter;
    expect(isNightDue(night - 1, yesterday, jitter)).toBe(false);
    expect(isNightDue(night + jitter - 1, yesterday, jitter)).toBe(false);
    expect(isNightDue(night + jitter, yesterday, jitter)).toBe(true);
    expect(isNightDue(night + jitter + HOUR, night + jitter, jitter)).toBe(false);
    // The machine was off for a week.
    expect(isNightDue(night + 9 * HOUR, night - 7 * DAY, jitter)).toBe(true);
    expect(isNightDue(night, null, jitter)).toBe(true);
  });

  test('a last run dated in the future does not block the job forever', () => {
    const now = at('2026-11-22T20:00:00Z');
    expect(isNightDue(now, now + 3650 * DAY, 0)).toBe(true);
    // A clock set back slightly does not run the job twice.
    expect(isNightDue(now, now + HOUR, 0)).toBe(false);
    expect(isNightDue(0, now, 0)).toBe(true);
  });
});

const named = (kind: 'nightly' | 'manual', madeAt: number): NamedBackup => {
  const backup = readBackupName(backupName(kind, madeAt));
  if (!backup) throw new Error('The backup name is invalid.');
  return backup;
};

/** What remains if the job ran every night from `first` on. */
function afterNights(first: number, nights: number): NamedBackup[] {
  let kept: NamedBackup[] = [];
  for (let night = 0; night < nights; night += 1) {
    const now = first + night * DAY;
    kept.push(named('nightly', now));
    const surplus = new Set(surplusBackups(kept, now));
    kept = kept.filter((backup) => !surplus.has(backup));
  }
  return kept;
}

describe('pruning backups', () => {
  test('keeps the last seven and the first of each of twelve months after two years', () => {
    const kept = afterNights(at('2024-11-30T16:10:00Z'), 730).map(({ madeAt }) => sydneyDate(madeAt));
    expect(kept).toEqual([
      '2025-12-01',
      '2026-01-01',
      '2026-02-01',
      '2026-03-01',
      '2026-04-01',
      '2026-05-01',
      '2026-06-01',
      '2026-07-01',
      '2026-08-01',
      '2026-09-01',
      '2026-10-01',
      '2026-11-01',
      '2026-11-24',
      '2026-11-25',
      '2026-11-26',
      '2026-11-27',
      '2026-11-28',
      '2026-11-29',
      '2026-11-30',
    ]);
  });

  const times = fc.array(fc.integer({ min: at('2024-01-01'), max: at('2027-01-01') }), { maxLength: 60 });
  const whenever = fc.integer({ min: at('2023-01-01'), max: at('2028-01-01') });

  test('keeps a limited number, never deletes the newest, and deletes nothing more when run again', () => {
    fc.assert(
      fc.property(times, times, whenever, (nightly, manual, now) => {
        const all = [
          ...nightly.map((time) => named('nightly', time)),
          ...manual.map((time) => named('manual', time)),
        ];
        const surplus = new Set(surplusBackups(all, now));
        const kept = all.filter((backup) => !surplus.has(backup));
        for (const kind of ['nightly', 'manual'] as const) {
          const past = (backup: NamedBackup) => backup.kind === kind && backup.madeAt <= now;
          expect(kept.filter(past).length).toBeLessThanOrEqual(kind === 'nightly' ? 19 : 5);
          const newest = all.filter(past).sort((a, b) => b.madeAt - a.madeAt)[0];
          if (newest)
            expect(kept.some(({ madeAt, kind: of }) => of === kind && madeAt === newest.madeAt)).toBe(true);
        }
        // A wrong clock must not delete backups dated after it.
        expect([...surplus].every(({ madeAt }) => madeAt <= now)).toBe(true);
        expect(surplusBackups(kept, now)).toEqual([]);
      }),
    );
  });

  test('ignores copies made before a migration', () => {
    const copies = Array.from({ length: 20 }, (_, day) =>
      readBackupName(`before-0010_x-2026-01-${String(day + 1).padStart(2, '0')}T00-00-00-000Z.db`),
    ).filter((backup) => backup !== null);
    expect(copies).toHaveLength(20);
    expect(surplusBackups(copies, at('2026-11-22'))).toEqual([]);
  });
});

describe('a backup that is due', () => {
  const MINUTE = 60_000;
  /** 03:10 in Sydney. */
  const NIGHT = Date.UTC(2026, 10, 22, 16, 10);

  test('is due each night, even after one that was made late or by hand in the evening', () => {
    for (const last of [NIGHT - DAY, NIGHT - 14 * HOUR, NIGHT - HOUR]) {
      expect(isBackupDue(NIGHT + 5 * MINUTE, last, 1)).toBe(true);
    }
    expect(isBackupDue(NIGHT + 9 * HOUR, NIGHT + 5 * MINUTE, 1)).toBe(false);
  });

  test('is due on the seventh night with an interval of seven, and if there is none', () => {
    const due = [1, 6, 7, 8].map((nights) => isBackupDue(NIGHT + nights * DAY, NIGHT + 5 * MINUTE, 7));
    expect(due).toEqual([false, false, true, true]);
    expect(isBackupDue(NIGHT, null, 7)).toBe(true);
    // A wrong clock must not block backups forever.
    expect(isBackupDue(NIGHT, NIGHT + 3650 * DAY, 7)).toBe(true);
    expect(nextBackup(NIGHT + HOUR, NIGHT + 5 * MINUTE, 7)).toBe(NIGHT + 7 * DAY);
    expect(nextBackup(NIGHT + HOUR, null, 7)).toBe(NIGHT + DAY);
  });

  test('is never too old on the night when it is due, in any season', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) }),
        fc.integer({ min: 1, max: 30 }),
        (last, everyDays) => {
          const age = nextBackup(last, last, everyDays) - last;
          expect(age).toBeLessThanOrEqual(maxBackupAge(everyDays) - HOUR);
          expect(age).toBeGreaterThan((everyDays - 1) * DAY - 2 * HOUR);
        },
      ),
      { numRuns: 200 },
    );
  });
});

const OWN = 'abcd1234';
const nightly = (day: number): string => `nightly-2026-11-${String(day).padStart(2, '0')}T16-10-00-000Z.db`;
const files = (names: readonly string[]) => readTarget(names.map((name) => ({ name, bytes: 5 })));
const NOW = Date.UTC(2026, 10, 25);

describe('the files at a target', () => {
  test('are recognised by name, newest first', () => {
    const read = files([
      targetName(OWN, nightly(3), true),
      targetName(OWN, nightly(5), false),
      targetName(OWN, 'settings-2026-11-04T16-10-00-000Z.env', true),
      targetName(OWN, 'recording-Monday 1.bellbird', false),
    ]);
    expect(read.map(({ kind, isEncrypted }) => [kind, isEncrypted])).toEqual([
      ['backup', false],
      ['settings', true],
      ['backup', true],
      ['recording', false],
    ]);
  });

  test('do not include files with similar names', () => {
    for (const name of [
      nightly(3),
      `bellbird-${OWN}-../../etc/passwd`,
      `bellbird-${OWN}-${nightly(3)}.age.partial`,
      `../bellbird-${OWN}-${nightly(3)}`,
      `bellbird-ABCD1234-${nightly(3)}`,
      `bellbird-${OWN}-before-0012-2026-11-03T16-10-00-000Z.db`,
      '',
    ])
      expect([name, files([name])]).toEqual([name, []]);
  });
});

test('only this server’s surplus backups are removed, not others, recordings, or ones dated ahead', () => {
  const kept = { installation: OWN, kept: 2, now: NOW };

  const own = [1, 2, 3, 4, 28].map((day) => targetName(OWN, nightly(day), true));
  const others = [1, 2, 3].map((day) => targetName('ffff0000', nightly(day), true));
  const rest = [targetName(OWN, 'recording-x.bellbird', true), 'photos.zip'];
  expect(surplusAtTarget(files([...own, ...others, ...rest]), kept).sort()).toEqual(own.slice(0, 2));
});
