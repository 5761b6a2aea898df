export type HostileRequest = { name: string; path: string; init: RequestInit };

/** So that a list of anything is close to the largest accepted body. */
const ALMOST_64_KB = 64 * 1024 - 200;

const asJson = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
});
const form = (value: string): RequestInit =>
  asJson(`{"identifier":${value},"username":${value},"password":"x"}`);
const filled = (unit: string, bytes = ALMOST_64_KB / 2): string => {
  const count = Math.floor(bytes / (unit.length + 1));
  return Array.from({ length: count }, () => unit).join(',');
};

/** Values that are expensive to read but short to write. */
const VALUES: Record<string, string> = {
  'an object nested 20,000 deep, 120 KB': `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  'an object nested 4,000 deep': `${'{"a":'.repeat(4000)}1${'}'.repeat(4000)}`,
  'brackets without end': '['.repeat(ALMOST_64_KB / 2),
  'lists as deep as allowed, side by side': `[${filled(`${'['.repeat(29)}${']'.repeat(29)}`)}]`,
  'numbers as deep as allowed': `${'['.repeat(30)}${filled('1')}${']'.repeat(30)}`,
  'a wide object': `{${Array.from({ length: 2500 }, (_, index) => `"k${index}":1`).join(',')}}`,
  'a long text': `"${'x'.repeat(ALMOST_64_KB / 2)}"`,
  'a text of escapes': `"${'\\u0000'.repeat(5000)}"`,
  'a long number': '9'.repeat(ALMOST_64_KB / 2),
};

const bodyless = (path: string): HostileRequest => ({ name: `GET ${path.slice(0, 20)}`, path, init: {} });

/** Requests without a login, all of which are refused. */
export const HOSTILE_REQUESTS: readonly HostileRequest[] = [
  ...Object.entries(VALUES).flatMap(([name, value]) =>
    ['/api/login', '/api/register', '/api/test/seed', '/api/settings/quote-site', '/api/nothing'].map(
      (path) => ({ name: `${name} to ${path}`, path, init: form(value) }),
    ),
  ),
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b', 'text/plain'].map((type) => ({
    name: `many fields as ${type}`,
    path: '/api/login',
    init: {
      method: 'POST',
      headers: { 'content-type': type },
      body: type.startsWith('multipart')
        ? '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(900)
        : 'a[b][c]=1&'.repeat(6000),
    },
  })),
  bodyless(`/api/${'a-'.repeat(7000)}`),
  bodyless(`/api/${'%25'.repeat(4000)}`),
  bodyless(`/${'bot1'.repeat(3000)}`),
  bodyless(`/local/${'a/'.repeat(6000)}`),
  { name: 'a long token', path: '/api/settings', init: { headers: { authorization: 'eyJ-'.repeat(3000) } } },
];
