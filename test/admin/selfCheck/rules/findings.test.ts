import { describe, expect, test } from 'bun:test';
import { certificateFinding } from '../../../../src/admin/selfCheck/rules/certificateFinding.ts';
import type { ShownCertificate } from '../../../../src/lib/httpClient/shownCertificate.ts';
import { clockFinding } from '../../../../src/admin/selfCheck/rules/clockFinding.ts';
import { type DiskState, diskFinding } from '../../../../src/admin/selfCheck/rules/machineFindings.ts';
import { rightsFindings, type SeenFile } from '../../../../src/admin/selfCheck/rules/rightsFindings.ts';

const MB = 1024 * 1024;
const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 18);

describe('the clock', () => {
  test('is right within a minute, and where nobody told the time nothing is claimed', () => {
    expect(clockFinding([60_000, -400_000]).state).toBe('ok');
    expect(clockFinding([])).toMatchObject({ state: 'ok', says: expect.stringContaining('Not compared') });
  });
  test('is told with its direction and what goes wrong by it', () => {
    const ahead = clockFinding([61_000]);
    expect(ahead.says).toContain('market hours');
    expect(ahead).toMatchObject({ state: 'wrong', says: expect.stringContaining('61 seconds ahead') });
    expect(clockFinding([-3 * 3_600_000]).says).toContain('3 hours behind');
  });
});

describe('the certificate', () => {
  const sound: ShownCertificate = {
    ...{ validFrom: NOW - DAY, validTo: NOW + 60 * DAY, isOtherName: false, chainProblem: null },
  };
  const of = (change: Partial<ShownCertificate>) =>
    certificateFinding({ ...sound, ...change }, 'a.example', NOW);
  test('by its days, its name and its chain', () => {
    expect(of({})).toMatchObject({ state: 'ok', says: expect.stringContaining('60 days more') });
    expect(of({ validTo: NOW + 13 * DAY })).toMatchObject({ state: 'warning' });
    expect(of({ validTo: NOW + 14 * DAY })).toMatchObject({ state: 'warning' });
    expect(of({ validTo: NOW + 14 * DAY + 1 })).toMatchObject({ state: 'ok' });
    expect(of({ validTo: NOW - 2 * DAY }).says).toBe('The certificate of a.example ran out 2 days ago.');
    expect(of({ validFrom: NOW + DAY }).says).toContain('not valid yet');
    expect(of({ isOtherName: true }).says).toBe('The certificate is not for a.example.');
    expect(of({ chainProblem: 'UNABLE_TO_VERIFY' }).says).toContain('not trusted (UNABLE_TO_VERIFY)');
    expect(of({ validTo: Number.NaN })).toMatchObject({ state: 'warning' });
  });
});

describe('the machine', () => {
  const disk: DiskState = { freeBytes: 2000 * MB, freeFiles: 900, files: 1000, isReadOnly: false };
  const of = (change: Partial<DiskState>) => diskFinding({ ...disk, ...change }, '/data');
  test('disk', () => {
    expect(of({}).state).toBe('ok');
    expect(of({ freeBytes: 499 * MB })).toMatchObject({
      state: 'warning',
      says: expect.stringContaining('499 MB'),
    });
    expect(of({ freeBytes: 19 * MB }).state).toBe('wrong');
    expect(of({ isReadOnly: true })).toMatchObject({
      state: 'wrong',
      says: expect.stringContaining('read-only'),
    });
    expect(of({ freeFiles: 19 }).says).toContain('19 of 1000');
    expect(of({ freeFiles: 0, files: 0 }).state).toBe('ok');
    expect(diskFinding(null, '/data').state).toBe('warning');
  });
});

describe('rights', () => {
  const own: SeenFile = { path: '/data', uid: 7, isOpen: false, isWritable: true };
  test('one line for each kind of fault, with what to do', () => {
    expect(rightsFindings([own], '/data', 7)).toMatchObject([{ state: 'ok' }]);
    expect(rightsFindings([], '/data', 7)).toMatchObject([
      { state: 'ok', says: expect.stringContaining('not there yet') },
    ]);
    const files = ['a', 'b', 'c', 'd'].map((path) => ({
      ...own,
      path,
      uid: 0,
      isOpen: true,
      isWritable: false,
    }));
    const [owner, locked, open] = rightsFindings(files, '/data', 7);
    expect(owner).toMatchObject({
      state: 'wrong',
      says: expect.stringContaining('a, b, c and 1 more belong'),
    });
    expect(owner?.remedy).toContain('chown');
    expect(locked).toMatchObject({ state: 'wrong', remedy: expect.stringContaining('u+rwX') });
    expect(open).toMatchObject({ state: 'warning', remedy: expect.stringContaining('go-rwx') });
  });
});
