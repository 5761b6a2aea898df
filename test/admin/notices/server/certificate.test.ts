import { afterEach, expect, test } from 'bun:test';
import { certificateEnd } from '../../../../src/admin/notices/server/certificate.ts';

/** Made for this test alone, of localhost; nobody trusts it. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/ydInLyuSZuHN0AX
T/DMamTdDIwS7O8c6GK5vfij1HihRANCAARKIAw2RZEdXyGT57DqWTSCWKuWi4cm
QYQ9ZkhNkBc/RZynO2Y1rmQYyAoWTlDYTJ0bsAIsfTPmwO/BzG90q8xA
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBfTCCASOgAwIBAgIUGj3BW1JrrjHM2skeXnSXiz4kcpgwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTI2MTEyNzA0MDE1NFoXDTM2MTEyNDA0
MDE1NFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAESiAMNkWRHV8hk+ew6lk0glirlouHJkGEPWZITZAXP0WcpztmNa5kGMgK
Fk5Q2EydG7ACLH0z5sDvwcxvdKvMQKNTMFEwHQYDVR0OBBYEFHaZk4YYUdQMOdMl
ePhpbirpa4F6MB8GA1UdIwQYMBaAFHaZk4YYUdQMOdMlePhpbirpa4F6MA8GA1Ud
EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgMzfkPPQ55p2p83SNw16396Gq
CSLWOF8tJbv5HjzOkE4CIQCoWusjGFcbHqa/GMaxTdW48vjGtgKA1ycNrjyCYoTe
eQ==
-----END CERTIFICATE-----`;
const ENDS_AT = Date.UTC(2036, 10, 24, 4, 1, 54);

const closing: (() => unknown)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

test('the end of a certificate is read, also of one that nobody trusts', async () => {
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', tls: { key: KEY, cert: CERTIFICATE } },
    fetch: () => new Response('never asked'),
  });
  closing.push(() => server.stop(true));
  expect(await certificateEnd(`https://127.0.0.1:${server.port}`)).toBe(ENDS_AT);
});
