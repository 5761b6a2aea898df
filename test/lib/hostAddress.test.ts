import { expect, test } from 'bun:test';
import type { NetworkInterfaceInfo } from 'node:os';
import { everyAddress, externalAddress, ownAddress } from '../../src/lib/hostAddress.ts';

const interfaceOf = (address: string, internal = false): NetworkInterfaceInfo =>
  ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo;
const lo = [interfaceOf('127.0.0.1', true), interfaceOf('::1', true)];
const ipv6Only = { lo, eth0: [interfaceOf('fe80::5'), interfaceOf('2001:db8::5')] };
const both = { lo, eth0: [interfaceOf('2001:db8::5'), interfaceOf('192.168.1.20')] };
const alone = { lo, eth0: [interfaceOf('fe80::5')] };

test('other machines reach this one by IPv4, or by IPv6 if there is nothing else', () => {
  expect([both, ipv6Only, alone].map(externalAddress)).toEqual(['192.168.1.20', '2001:db8::5', null]);
});

test('a server of a machine with IPv6 only listens on it', () => {
  expect([both, ipv6Only, alone].map(everyAddress)).toEqual(['0.0.0.0', '::', '0.0.0.0']);
});

test('this machine reaches its own server', () => {
  const reached = ['0.0.0.0', '::', 'fd00::5', '192.168.1.20'].map((host) =>
    ownAddress({ host, port: 3000 }),
  );
  expect(reached).toEqual([
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'http://[fd00::5]:3000',
    'http://192.168.1.20:3000',
  ]);
});
