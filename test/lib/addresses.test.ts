import { expect, test } from 'bun:test';
import type { NetworkInterfaceInfo } from 'node:os';
import {
  addressKey,
  createAddressRanges,
  everyAddress,
  externalAddress,
  forwardedAddress,
  isAddressRange,
  isEverybody,
  isOwnNetwork,
} from '#lib/addresses.ts';
import { exemptOwnMachine } from '#lib/httpClient/client.ts';

test('parses addresses and networks of both kinds', () => {
  const isIn = createAddressRanges([
    '10.0.0.0/8',
    '192.0.2.7',
    '2001:db8::/32',
    '::ffff:172.16.0.0/108',
    'nonsense',
  ]);
  const inside = ['10.9.8.7', '192.0.2.7', '2001:db8:1::1', '172.31.0.1', '::ffff:10.1.1.1'];
  const outside = ['11.0.0.1', '192.0.2.8', '2001:db9::1', '172.32.0.1', '::1', '', 'unknown'];
  for (const address of inside) expect([address, isIn(address)]).toEqual([address, true]);
  for (const address of outside) expect([address, isIn(address)]).toEqual([address, false]);
});

test('tells valid addresses and networks from invalid ones', () => {
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

test('reads entries of X-Forwarded-For', () => {
  const cases: [string, string | null][] = [
    [' 203.0.113.5 ', '203.0.113.5'],
    ['203.0.113.5:4711', '203.0.113.5'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['unknown', null],
    ['', null],
    [`${'1'.repeat(8000)}.1.1.1`, null],
  ];
  for (const [entry, address] of cases) expect([entry, forwardedAddress(entry)]).toEqual([entry, address]);
});

test('recognises hosts of a private network', () => {
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

const interfaceOf = (address: string, internal = false): NetworkInterfaceInfo =>
  ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo;
const lo = [interfaceOf('127.0.0.1', true), interfaceOf('::1', true)];
const ipv6Only = { lo, eth0: [interfaceOf('fe80::5'), interfaceOf('2001:db8::5')] };
const both = { lo, eth0: [interfaceOf('2001:db8::5'), interfaceOf('192.168.1.20')] };
const alone = { lo, eth0: [interfaceOf('fe80::5')] };
const machines = [both, ipv6Only, alone].map((interfaces) => () => interfaces);
const refused = () => {
  throw new Error('getifaddrs returned an error');
};

test('other machines use the IPv4 address, or IPv6 if there is no other', () => {
  expect(machines.map((read) => externalAddress(read))).toEqual(['192.168.1.20', '2001:db8::5', null]);
  expect(externalAddress(refused)).toBeNull();
});

test('a server listens on IPv6 on a machine that has only IPv6', () => {
  expect(machines.map((read) => everyAddress(read))).toEqual(['0.0.0.0', '::', '0.0.0.0']);
  expect(everyAddress(refused)).toBe('0.0.0.0');
});

const exempted = (env: Record<string, string>): (string | undefined)[] => {
  const changed: Record<string, string | undefined> = { ...env };
  exemptOwnMachine(changed);
  return [changed['NO_PROXY'], changed['no_proxy']];
};

test('a proxy is never used for this machine', () => {
  const own = 'localhost,127.0.0.1,::1,[::1]';
  expect(exempted({})).toEqual([own, own]);
  expect(exempted({ BELLBIRD_HOST: '192.168.1.5' })).toEqual(Array(2).fill(`${own},192.168.1.5`));
  expect(exempted({ BELLBIRD_HOST: 'fd00::5' })).toEqual(Array(2).fill(`${own},[fd00::5]`));
});

test('groups IPv6 addresses by their first 64 bits and leaves other texts as they are', () => {
  expect(addressKey('x'.repeat(15_000))).toHaveLength(64);
  expect(addressKey('::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(addressKey('2001:db8:1:2:aaaa::1')).toBe(addressKey('2001:0db8:1:2:bbbb:1:2:3'));
  expect(addressKey('2001:db8:1:3::1')).not.toBe(addressKey('2001:db8:1:2::1'));
  expect(addressKey('::ffff:7f00:1')).toBe('127.0.0.1');
  expect(addressKey('fe80::1%eth0')).toBe('fe80:0:0:0');
  for (const text of ['203.0.113.9', '', 'unknown', '203.0.113.9:1234', '[2001:db8::1]:443', '_hidden'])
    expect(addressKey(text)).toBe(text);
});
