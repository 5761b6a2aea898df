import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { maxBackupAge } from '../../../../src/admin/backups/rules/backupAge.ts';
import { isBackupDue, nextBackup } from '../../../../src/admin/backups/rules/backupTimes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** 03:10 in Sydney. */
const NIGHT = Date.UTC(2026, 10, 22, 16, 10);

describe('a backup', () => {
  test('is due each night, also after one that was made late or by hand in the evening', () => {
    for (const last of [NIGHT - DAY, NIGHT - 14 * HOUR, NIGHT - HOUR]) {
      expect(isBackupDue(NIGHT + 5 * MINUTE, last, 1)).toBe(true);
    }
    expect(isBackupDue(NIGHT + 9 * HOUR, NIGHT + 5 * MINUTE, 1)).toBe(false);
  });

  test('of every seventh night is due on the seventh, and where there is none', () => {
    const due = [1, 6, 7, 8].map((nights) => isBackupDue(NIGHT + nights * DAY, NIGHT + 5 * MINUTE, 7));
    expect(due).toEqual([false, false, true, true]);
    expect(isBackupDue(NIGHT, null, 7)).toBe(true);
    // A clock that was wrong must not end it for ever.
    expect(isBackupDue(NIGHT, NIGHT + 3650 * DAY, 7)).toBe(true);
    expect(nextBackup(NIGHT + HOUR, NIGHT + 5 * MINUTE, 7)).toBe(NIGHT + 7 * DAY);
    expect(nextBackup(NIGHT + HOUR, null, 7)).toBe(NIGHT + DAY);
  });

  test('is never too old on the night on which it is due, whatever the season', () => {
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
