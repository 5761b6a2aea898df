import { isRecord } from '#lib/json.ts';
import type { Attack, Sent } from './attacker.ts';

export type Operation = { method: string; path: string; level: number; largest: Sent; smallest: Sent };

const MAX_BYTES = 64 * 1024;
const MAX_BYTES_OF_VISITORS = 4 * 1024;
/** Number of values in a body; 2,000 are allowed. */
const MAX_VALUES = 1900;
/** Combining marks whose order takes long to normalise. */
const MARKS = '\u0300\u0316';

const marks = (length: number): string => MARKS.repeat(Math.ceil(length / 2)).slice(0, length);

/** A value of any type: deeply nested objects with many names, up to the limit. */
function anything(values: number): unknown {
  const wide = Object.fromEntries(
    Array.from({ length: values }, (_, index) => [`${marks(4)}${index}`, index]),
  );
  let deep: unknown = wide;
  for (let depth = 0; depth < 25; depth += 1) deep = { conditions: [deep] };
  return deep;
}

function largestOf(schema: unknown, values: number): unknown {
  if (!isRecord(schema)) return anything(values);
  const { type, properties, items, anyOf, enum: choices } = schema;
  if (Array.isArray(choices)) return choices[0] as unknown;
  if ('const' in schema) return schema['const'];
  if (Array.isArray(anyOf)) return largestOf(anyOf.at(-1), values);
  const kind: unknown = Array.isArray(type) ? type[0] : type;
  if (kind === 'string') return marks(Math.min(Number(schema['maxLength'] ?? 2000), 2000));
  if (kind === 'number' || kind === 'integer') return Number(schema['maximum'] ?? 999_999_999);
  if (kind === 'boolean') return true;
  if (kind === 'array') {
    const length = Math.min(Number(schema['maxItems'] ?? 100), 100);
    return Array.from({ length }, () => largestOf(items, Math.floor(values / length)));
  }
  if (!isRecord(properties)) return anything(values);
  const members = Object.entries(properties);
  const each = Math.max(1, Math.floor(values / Math.max(1, members.length)));
  return Object.fromEntries(members.map(([name, member]) => [name, largestOf(member, each)]));
}

function largestBody(path: string, schema: unknown): string {
  const max = /^\/api\/(login|register)$/.test(path) ? MAX_BYTES_OF_VISITORS : MAX_BYTES;
  for (let values = MAX_VALUES; values >= 1; values = Math.floor(values / 2)) {
    const body = JSON.stringify(largestOf(schema, values));
    const bytes = Buffer.byteLength(body);
    if (bytes <= max) return body + ' '.repeat(max - bytes);
  }
  return '{}';
}

const schemaOf = (content: unknown): unknown => {
  const types = isRecord(content) && isRecord(content['content']) ? content['content'] : null;
  const [media] = types === null ? [] : Object.values(types);
  return isRecord(media) ? media['schema'] : null;
};

function addressOf(path: string, parameters: readonly unknown[], isLargest: boolean): string {
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    if (!isRecord(parameter) || parameter['in'] !== 'query') continue;
    const value = isLargest ? String(largestOf(parameter['schema'], 1)).slice(0, 2000) : '!';
    query.set(String(parameter['name']), value);
  }
  const filled = path.replaceAll(/\{\w{1,40}\}/g, isLargest ? 'x'.repeat(100) : '!');
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

/** Every operation of the API document, with its largest request and its smallest refused one. */
export function operationsOf(document: unknown): Operation[] {
  const paths = isRecord(document) && isRecord(document['paths']) ? document['paths'] : {};
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(isRecord(methods) ? methods : {}).flatMap(([verb, operation]): Operation[] => {
      if (!isRecord(operation)) return [];
      const method = verb.toUpperCase();
      const parameters = Array.isArray(operation['parameters']) ? operation['parameters'] : [];
      const schema = schemaOf(operation['requestBody']);
      const headers = { 'content-type': 'application/json' };
      const [large, small] = [true, false].map((isLargest) => addressOf(path, parameters, isLargest));
      const withBody = (address: string | undefined, body: string): Sent =>
        schema === null
          ? { method, path: address ?? path, headers: {} }
          : { method, path: address ?? path, headers, body };
      return [
        {
          method,
          path,
          level: Number(operation['x-level'] ?? 0),
          largest: withBody(large, largestBody(path, schema)),
          smallest: withBody(small, '0'),
        },
      ];
    }),
  );
}

export type NamedAttack = Omit<Attack, 'port'> & { name: string };

const JSON_TYPE = { 'content-type': 'application/json' };

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Sent => ({
  method: 'POST',
  path,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
});

const pairs = (count: number): string => '\u0300'.repeat(count) + '\u0316'.repeat(count);

/** Requests with many consecutive accents, whose normal form needs sorting, for every text input. */
export const accents = (token: string): NamedAttack[] => {
  const own = { authorization: token };
  const login = (count: number): Sent => post('/api/login', { identifier: pairs(count), password: 'x' });
  const call = { symbol: 'BHP', callType: 'buy', entryPrice: 1, targetPrice: 2, stopLossType: 'NONE' };
  return [
    { name: 'a login with 31,000 accents', requests: [login(15_500)], times: 10 },
    { name: 'a login with the maximum number of accents', requests: [login(127)], times: 100 },
    {
      name: 'a registration with the maximum number of accents',
      requests: [post('/api/register', { username: pairs(127), password: 'x' })],
      times: 100,
    },
    {
      name: 'calls with rationales of 10,000 and 2,800 accents',
      requests: [5000, 1400].map((count) => post('/api/calls', { ...call, rationale: pairs(count) }, own)),
      times: 50,
    },
    {
      name: 'searches with the maximum number of accents in an address',
      requests: [
        {
          method: 'GET',
          path: `/api/data/news/search?q=${encodeURIComponent(pairs(100))}`,
          headers: own,
        },
      ],
      times: 100,
    },
  ];
};

/**
 * @param date of the session with a scanner history, YYYY-MM-DD
 * @param from first minute of its two hours, counted from midnight
 */
export function historyReads(token: string, date: string, from: number): NamedAttack[] {
  const clock = (minute: number): string =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  const table = 'intraDaySmall';
  const get = (path: string): Sent => ({ method: 'GET', path, headers: { authorization: token } });
  const minutes = Array.from({ length: 100 }, (_, index) => from + index / 10);
  return [
    {
      name: '100 different two-hour spans, by one user',
      requests: minutes.map((minute) => {
        const start = Math.floor(minute);
        const end = start + 100 + Math.round((minute - start) * 10);
        return get(
          `/api/data/tape/changes?table=${table}&date=${date}&since=${clock(start)}&time=${clock(end)}`,
        );
      }),
      times: 1,
    },
    {
      name: '100 minutes, by one user',
      requests: minutes.map((_, index) =>
        get(`/api/data/tape?table=${table}&date=${date}&time=${clock(from + index)}`),
      ),
      times: 1,
    },
  ];
}

export const unreadStreams = (): NamedAttack[] => [
  {
    name: '190 uncompressed streams of one address, not read, closed after 6 s',
    requests: [{ method: 'GET', path: '/api/data/stream', headers: { 'accept-encoding': 'identity' } }],
    times: 190,
    holdMs: 6000,
  },
];

export const streamStorms = (): NamedAttack[] =>
  ['gzip', 'identity'].map((encoding) => ({
    name: `600 streams of five addresses (${encoding}), not read, closed after 4 s`,
    requests: Array.from({ length: 600 }, (_, index) => ({
      method: 'GET',
      path: '/api/data/stream?parts=1&scanner=preMarket',
      headers: { 'accept-encoding': encoding, 'x-forwarded-for': `203.0.113.${index % 5}` },
    })),
    times: 1,
    holdMs: 4000,
  }));

export const weeklyBars = (codes: readonly string[]): NamedAttack[] => [
  {
    name: '60 concurrent charts of 2,000 weeks',
    requests: codes
      .slice(0, 60)
      .map((code) => ({ method: 'GET', path: `/api/data/bars?symbol=${code}&tf=W&limit=2000` })),
    times: 1,
  },
];

const conditionsFrom = (first: number): object[] =>
  Array.from({ length: 20 }, (_, index) => ({
    lhs: { type: 'field', key: 'last' },
    op: '>',
    rhs: { type: 'number', value: 200_000 + first + index },
  }));

export const alertWrites = (token: string, ids: readonly number[]): NamedAttack[] => [
  {
    name: '100 concurrent changes of alerts with 20 conditions',
    requests: Array.from({ length: 100 }, (_, index) => ({
      ...post(
        `/api/alerts/${ids[index % ids.length]}`,
        { logic_json: { op: 'AND', conditions: conditionsFrom(index) } },
        { authorization: token },
      ),
      method: 'PATCH',
    })),
    times: 1,
  },
];

/** Settings files with more than a user can have, and with exactly the maximum. @param codes of stocks */
export function settingsFiles(token: string, codes: readonly string[]): NamedAttack[] {
  const head = { format: 'bellbird transfer file', version: 1, exportedAt: '2026-11-18T00:00:00.000Z' };
  const lists = (count: number, symbols: number): object => ({
    ...head,
    watchlists: Array.from({ length: count }, (_, list) => ({
      name: `List ${list}`,
      items: codes.slice(0, symbols).map((symbol) => ({ symbol, note: null, target: 50 })),
    })),
  });
  const preview = (file: object): Sent =>
    post('/api/settings/transfer/preview', file, { authorization: token });
  return [
    { name: 'files with 100 lists of 400', requests: [preview(lists(100, 400))], times: 5 },
    { name: 'files with 20 lists of 200', requests: [preview(lists(20, 200))], times: 5 },
  ];
}

export const personalReads = (token: string): NamedAttack[] => {
  const own = { authorization: token };
  const read = (path: string): NamedAttack => ({
    name: `150 concurrent GET ${path}`,
    requests: [{ method: 'GET', path, headers: own }],
    times: 150,
  });
  const keys = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 1]));
  return [
    ...[
      '/api/alerts',
      '/api/settings',
      '/api/watchlist',
      '/api/indicators/scans',
      '/api/indicators/prefs',
      '/api/indicators/catalog/tv',
      '/api/calls/mine',
      '/api/calls/leaderboard',
      '/api/settings/sessions',
    ].map(read),
    {
      name: '150 concurrent changes of columns',
      requests: [post('/api/settings/table-columns', { tableKey: 'custom', columns: [] }, own)],
      times: 150,
    },
    {
      name: '200 bodies of 5,000 keys on one connection',
      requests: [post('/api/settings/quote-site', keys, own)],
      times: 200,
      pipelined: true,
    },
    {
      name: '200 bodies of 1,900 keys on one connection',
      requests: [
        post('/api/settings/quote-site', Object.fromEntries(Object.entries(keys).slice(0, 1900)), own),
      ],
      times: 200,
      pipelined: true,
    },
  ];
};
