import { describe, expect, test } from 'bun:test';
import { acceptsGzip, chooseEncoding } from '../../src/lib/acceptEncoding.ts';

test.each([
  ['gzip', true],
  ['gzip, deflate, br, zstd', true],
  ['GZIP;q=0.5', true],
  ['br;q=1.0, gzip;q=0.001', true],
  ['*', true],
  ['identity, *;q=0.1', true],
  ['gzip;q=0', false],
  ['gzip;q=0.0, *', false],
  ['gzip ; q=0.000', false],
  ['*;q=0', false],
  ['br, deflate', false],
  ['identity', false],
  ['', false],
  [null, false],
])('Accept-Encoding %s: gzip %p', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});

describe('chooseEncoding', () => {
  const both = ['br', 'gzip'] as const;
  test.each([
    [null, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0.2, gzip;q=0.8', 'gzip'],
    ['identity;q=1, br;q=0.5', 'identity'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['br;q=nonsense', 'identity'],
    ['deflate, zstd', 'identity'],
  ] as const)('%p gives %s', (accept, expected) => {
    expect(chooseEncoding(accept, both)).toBe(expected);
  });

  test('never what is not there', () => {
    expect(chooseEncoding('br, gzip', ['gzip'])).toBe('gzip');
    expect(chooseEncoding('br, gzip', [])).toBe('identity');
  });
});
