import { describe, expect, test } from 'bun:test';
import { readTarget, surplusAtTarget, targetName } from '../../../../src/admin/backups/rules/targetFiles.ts';

const OWN = 'abcd1234';
const nightly = (day: number): string => `nightly-2026-11-${String(day).padStart(2, '0')}T16-10-00-000Z.db`;
const files = (names: readonly string[]) => readTarget(names.map((name) => ({ name, bytes: 5 })));
const NOW = Date.UTC(2026, 10, 25);

describe('the files at a target', () => {
  test('are known by their names, newest first', () => {
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

  test('are no others, however alike their names are', () => {
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

describe('what a server removes there', () => {
  const kept = { installation: OWN, kept: 2, now: NOW };

  test('are its own beyond the newest, never those of others, recordings, or what is dated ahead', () => {
    const own = [1, 2, 3, 4, 28].map((day) => targetName(OWN, nightly(day), true));
    const others = [1, 2, 3].map((day) => targetName('ffff0000', nightly(day), true));
    const rest = [targetName(OWN, 'recording-x.bellbird', true), 'photos.zip'];
    expect(surplusAtTarget(files([...own, ...others, ...rest]), kept).sort()).toEqual(own.slice(0, 2));
  });
});
