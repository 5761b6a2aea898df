import { expect, test } from 'bun:test';
import { keyedHash } from '../../src/lib/keyedHash.ts';

const VECTOR = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
const hash = (): string => keyedHash('Jefe', 'what do ya want for nothing?', 'hex');

test('a keyed hash is that of RFC 4231, case 2', () => {
  expect(hash()).toBe(VECTOR);
});

test('a keyed hash does not fail for a public key that was refused before it', async () => {
  const onNoCurve = new Uint8Array(65).fill(7, 1);
  onNoCurve[0] = 4;
  const curve = { name: 'ECDH', namedCurve: 'P-256' };
  const refused = await crypto.subtle.importKey('raw', onNoCurve, curve, true, []).catch(String);
  expect(refused).toContain('DataError');
  expect(hash()).toBe(VECTOR);
});
