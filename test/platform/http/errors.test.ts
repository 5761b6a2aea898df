import { describe, expect, test } from 'bun:test';
import { Elysia, t } from 'elysia';
import { createLog, type LogLine } from '#lib/log.ts';
import { ok, refuse } from '#lib/result.ts';
import { accepted, AppError, errors, refusingWith } from '#platform/http/errors.ts';
import { scenarios } from '#support/scenario.ts';

describe('errors common to every route', () => {
  const login = { method: 'POST', url: '/api/login' } as const;
  const unknown = { status: 404, json: { error: 'The API has no such address.' } };
  scenarios([
    { ...unknown, name: 'guest at an unknown address', method: 'GET', url: '/api/nothing' },
    { ...unknown, name: 'guest with a wrong method', method: 'GET', url: '/api/login' },
    {
      ...unknown,
      name: 'guest with malformed JSON at an unknown address',
      method: 'POST',
      url: '/api/nothing',
      rawBody: '{',
    },
    {
      ...login,
      name: 'guest with malformed JSON',
      rawBody: '{"identifier": "x"',
      status: 400,
      json: { error: 'The request body is not valid JSON.' },
    },
    {
      ...login,
      name: 'guest with a body that is nested too deep',
      rawBody: `{"identifier":${'["secret",'.repeat(32)}1${']'.repeat(32)}}`,
      status: 400,
      json: { error: 'The request body has more than 32 levels of lists and objects.' },
    },
    {
      ...login,
      name: 'guest with a password of brackets, sent as a form',
      rawBody: `identifier=x&password=${'['.repeat(40)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      status: 415,
    },
  ]);
});

describe('internal errors', () => {
  const lines: LogLine[] = [];
  const app = new Elysia()
    .use(errors({ log: createLog((line) => lines.push(line)) }))
    .get('/throws', () => {
      throw new Error('SELECT secret FROM users');
    })
    .get('/throws-text', () => {
      throw 'a text with a secret';
    })
    .get('/lies', () => ({ count: 'a secret' }) as unknown as { count: number }, {
      response: t.Object({ count: t.Number() }),
    })
    .get('/full', () => {
      throw new Error('secret query', { cause: Object.assign(new Error('full'), { code: 'SQLITE_FULL' }) });
    })
    .get('/refused', () => accepted(refuse('Entry price must be positive', 'entryPrice')))
    .get('/refused-late', () => accepted(refuse('Somebody was faster.'), 409))
    .get('/accepted', () => ({ price: accepted(ok(5)) }))
    .get('/own-form', () =>
      refusingWith({ success: false }, () => {
        const headers = { 'retry-after': '7' };
        throw new AppError(429, { field: 'site', message: 'Too many. Wait.' }, { headers });
      }),
    )
    .get('/own-form-throws', () =>
      refusingWith({ success: false }, async () => {
        throw new Error('SELECT secret FROM users');
      }),
    );
  const get = async (path: string) => {
    lines.length = 0;
    const response = await app.handle(new Request(`http://localhost${path}`));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  for (const path of ['/throws', '/throws-text', '/lies', '/own-form-throws']) {
    test(`${path}: a general answer to the caller, the cause in the log`, async () => {
      const answer = await get(path);
      expect(answer.status).toBe(500);
      expect(answer.text).not.toContain('secret');
      expect(JSON.parse(answer.text)).toEqual({ error: expect.stringContaining('Something went wrong') });
      expect(lines).toHaveLength(1);
      expect(lines[0]?.level).toBe('error');
      expect(lines[0]?.properties).toMatchObject({ method: 'GET', path });
      expect(lines[0]?.properties['error']).toBeDefined();
    });
  }

  test('a full disk is reported as such', async () => {
    const answer = await get('/full');
    expect(answer.status).toBe(507);
    expect(JSON.parse(answer.text)).toEqual({ error: expect.stringContaining('disk is full') });
    expect(lines[0]?.level).toBe('error');
  });

  test('an error names its field by its API name, or none if it concerns the whole', async () => {
    const answers = await Promise.all(['/refused', '/refused-late', '/accepted'].map(get));
    expect(answers.map(({ status, text }) => [status, JSON.parse(text)])).toEqual([
      [400, { error: 'Entry price must be positive', field: 'entryPrice' }],
      [409, { error: 'Somebody was faster.' }],
      [200, { price: 5 }],
    ]);
    expect(lines).toHaveLength(0);
  });

  test('an error has the members and headers of its route’s contract', async () => {
    const { status, headers, text } = await get('/own-form');
    expect([status, headers.get('retry-after'), headers.get('cache-control')]).toEqual([
      429,
      '7',
      'no-store',
    ]);
    expect(JSON.parse(text)).toEqual({ success: false, error: 'Too many. Wait.', field: 'site' });
  });
});
