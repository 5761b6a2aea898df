import { expect, test } from 'bun:test';
import {
  createAddressRanges,
  forwardedAddress,
  isAddressRange,
  isOwnNetwork,
  isEverybody,
} from '../../src/lib/addressRanges.ts';

test('addresses and networks of both kinds', () => {
  const isIn = createAddressRanges([
    '10.0.0.0/8',
    '192.0.2.7',
    '2001:db8::/32',
    '::ffff:172.16.0.0/108',
    'nonsense',
  ]);
  const inside = ['10.9.8.7', '192.0.2.7', '2001:db8:1::1', '172.31.0.1', '::ffff:10.1.1.1'];
  const outside = [
    '11.0.0.1',
    '192.0.2.8',
    '2001:db9::1',
    '172.32.0.1',
    '::1',
    '',
    'unknown',
    '10.1',
    '0x0a000001',
  ];
  for (const address of inside) expect([address, isIn(address)]).toEqual([address, true]);
  for (const address of outside) expect([address, isIn(address)]).toEqual([address, false]);
});

test('what is an address or a network, and what is not', () => {
  const good = ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '::ffff:10.0.0.0/104', '0.0.0.0/0'];
  const bad = [
    '',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '::/129',
    'proxy',
    '1',
    '::ffff:10.0.0.0/8',
  ];
  for (const text of good) expect([text, isAddressRange(text)]).toEqual([text, true]);
  for (const text of bad) expect([text, isAddressRange(text)]).toEqual([text, false]);
  expect(['0.0.0.0/0', '::/0', '10.0.0.0/8'].map(isEverybody)).toEqual([true, true, false]);
});

test('entries of X-Forwarded-For', () => {
  const cases: [string, string | null][] = [
    [' 203.0.113.5 ', '203.0.113.5'],
    ['203.0.113.5:4711', '203.0.113.5'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['unknown', null],
    ['_hidden', null],
    ['203.0.113', null],
    ['203.0.113.5:port', null],
    ['', null],
    [`${'1'.repeat(8000)}.1.1.1`, null],
  ];
  for (const [entry, address] of cases) expect([entry, forwardedAddress(entry)]).toEqual([entry, address]);
});

test('hosts of one’s own network', () => {
  const own = ['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.0.9', '[::1]', '[fd12::1]'];
  const names = ['localhost', 'nas', 'nas.local', 'NAS.lan', 'nas.home.arpa', 'cloud.internal'];
  const others = [
    '8.8.8.8',
    '172.32.0.1',
    '[2001:db8::1]',
    '[::ffff:8.8.8.8]',
    'example.com',
    'local.example',
    '',
  ];
  for (const host of [...own, ...names]) expect([host, isOwnNetwork(host)]).toEqual([host, true]);
  for (const host of others) expect([host, isOwnNetwork(host)]).toEqual([host, false]);
});
