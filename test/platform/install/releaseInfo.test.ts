import { describe, expect, test } from 'bun:test';
import { readReleaseInfo } from '../../../src/platform/install/server/releaseManifest.ts';

const WHOLE = { version: '1.4.0', commit: 'a'.repeat(40), minimum: '1.2.0', notes: 'News', files: { x: 12 } };
const read = (change: object) =>
  readReleaseInfo(new TextEncoder().encode(JSON.stringify({ ...WHOLE, ...change })));

describe('what a release says of itself', () => {
  test('is read', () => {
    expect(read({})).toEqual(WHOLE);
    expect(read({ minimum: null, notes: null }).minimum).toBeNull();
  });

  // Each for itself: one that is wrong is enough.
  test.each([
    ['no version', { version: undefined }],
    ['no version number', { version: 'latest' }],
    ['no commit', { commit: undefined }],
    ['no commit’s name', { commit: 'not one' }],
    ['no least version', { minimum: 'old' }],
  ])('%s: refused', (_, change) => {
    expect(() => read(change)).toThrow('The release does not say which version it is');
  });

  test('nothing but JSON is read', () => {
    expect(() => readReleaseInfo(new TextEncoder().encode('{'))).toThrow('does not say which version');
  });
});
