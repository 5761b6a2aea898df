import { expect, test } from 'bun:test';
import { exemptOwnMachine } from '../../src/lib/httpClient/loopbackProxy.ts';

const exempted = (env: Record<string, string>): (string | undefined)[] => {
  const changed: Record<string, string | undefined> = { ...env };
  exemptOwnMachine(changed);
  return [changed['NO_PROXY'], changed['no_proxy']];
};

test('a proxy never applies to this machine', () => {
  const own = 'localhost,127.0.0.1,::1,[::1]';
  expect(exempted({})).toEqual([own, own]);
  expect(exempted({ BELLBIRD_HOST: '192.168.1.5' })).toEqual(Array(2).fill(`${own},192.168.1.5`));
  expect(exempted({ BELLBIRD_HOST: 'fd00::5' })).toEqual(Array(2).fill(`${own},[fd00::5]`));
});

test('exceptions that are set already stay', () => {
  const both = `example.com,localhost,127.0.0.1,::1,[::1]`;
  expect(exempted({ NO_PROXY: 'example.com' })).toEqual([both, both]);
  expect(exempted({ no_proxy: 'example.com', NO_PROXY: 'ignored' })).toEqual([both, both]);
});
