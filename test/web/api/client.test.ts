import { beforeEach, describe, expect, test } from 'bun:test';
import { ApiError, errorText, messageOf, request } from '#web/api/client.ts';
import { session, startSession, tokenHeaders } from '#subjects/accounts/web/shared/session/session.ts';
import { BASIC_AUTH_COOKIE, TOKEN_HEADER } from '#platform/http/rules/accessLevel.ts';
import { pageApi, MAGGIE } from '#support/fakeApi.ts';

const server = pageApi(() => ({ 'GET /api/settings': { body: MAGGIE } }));
beforeEach(() => void (window.location.hash = '#/settings'));

async function problemOf(pending: Promise<unknown>): Promise<ApiError> {
  const problem = await pending.then(
    () => null,
    (caught: unknown) => caught,
  );
  if (!(problem instanceof ApiError)) throw new Error(`Not refused: ${String(problem)}`);
  return problem;
}

describe('the token', () => {
  test('is sent as it is, without a scheme', async () => {
    startSession({ accessToken: 'abc.def', accessLevel: 1 });
    await request('GET /api/settings');
    expect(server.calls).toMatchObject([{ path: '/api/settings', authorization: 'abc.def' }]);
  });
  test('has its own header behind a proxy with Basic authentication', async () => {
    Object.defineProperty(document, 'cookie', { value: `a=b; ${BASIC_AUTH_COOKIE}`, configurable: true });
    startSession({ accessToken: 'abc.def', accessLevel: 1 });
    expect(tokenHeaders('abc.def')).toEqual({ [TOKEN_HEADER]: 'abc.def' });
    await request('GET /api/settings');
    Reflect.deleteProperty(document, 'cookie');
    expect(server.calls).toMatchObject([{ authorization: null }]);
    expect(tokenHeaders('abc.def')).toEqual({ authorization: 'abc.def' });
  });
});

test('a request has an encoded path, a query without null, and a JSON body', async () => {
  server.answers['GET /api/data/day-lines'] = { body: {} };
  server.answers['PATCH /api/alerts/a%2F7'] = { body: {} };
  await request('GET /api/data/day-lines', { query: { symbols: 'A&B' } });
  await request('PATCH /api/alerts/:id', { params: { id: 'a/7' }, body: { active: true } });
  expect(server.calls).toMatchObject([
    { path: '/api/data/day-lines', query: { symbols: 'A&B' } },
    { path: '/api/alerts/a%2F7', body: { active: true } },
  ]);
});

test.each([
  ['dates stay text', { body: { username: '2026-03-05' } }, { username: '2026-03-05' }],
  ['204 gives null', { status: 204 }, null],
  ['409 is a result like any other', { status: 409, body: { error: 'There' } }, { error: 'There' }],
])('answers %s', async (_, answer, result) => {
  server.answers['GET /api/settings'] = answer;
  expect((await request('GET /api/settings')) as unknown).toEqual(result);
});

describe('errors', () => {
  test('carry the sentence, the status and the body', async () => {
    server.answers['GET /api/settings'] = { status: 400, body: { error: 'Wrong', more: 1 } };
    const problem = await problemOf(request('GET /api/settings'));
    expect(problem).toMatchObject({ message: 'Wrong', status: 400, body: { error: 'Wrong', more: 1 } });
  });
  test('401 for a signed-in caller clears the session and opens the login', async () => {
    startSession({ accessToken: 'old', accessLevel: 4 });
    server.answers['GET /api/settings'] = { status: 401, body: { error: 'Your session has ended.' } };
    await problemOf(request('GET /api/settings'));
    expect(session.value).toEqual({ isAuthenticated: false, accessToken: null, accessLevel: 0 });
    expect(localStorage.getItem('accessToken')).toBeNull();
    expect(localStorage.getItem('accessLevel')).toBeNull();
    expect(window.location.hash).toBe('#/login');
  });
  test('401 from a proxy instead of the server ends no session', async () => {
    startSession({ accessToken: 'abc.def', accessLevel: 1 });
    for (const body of ['<html>401 Authorization Required</html>', { status: 'KO' }, null]) {
      server.answers['GET /api/settings'] = { status: 401, body };
      expect((await problemOf(request('GET /api/settings'))).status).toBe(401);
    }
    expect(session.value.isAuthenticated).toBe(true);
  });
  test('401 for a visitor, as for a wrong password, opens no other screen', async () => {
    server.answers['GET /api/settings'] = { status: 401, body: { error: 'Invalid username or password' } };
    await problemOf(request('GET /api/settings'));
    expect(window.location.hash).toBe('#/settings');
  });
  test('a late 401 for a replaced token does not end the new session', async () => {
    startSession({ accessToken: 'old', accessLevel: 1 });
    server.answers['GET /api/settings'] = () => {
      startSession({ accessToken: 'new', accessLevel: 1 });
      return { status: 401, body: { error: 'ended' } };
    };
    await problemOf(request('GET /api/settings'));
    expect(session.value.accessToken).toBe('new');
  });
  test('a missing network and invalid JSON become a sentence', async () => {
    const refusal = { message: 'Network error. Try again.', status: 503 };
    server.answers['GET /api/settings'] = 'offline';
    expect(await problemOf(request('GET /api/settings'))).toMatchObject(refusal);
    server.answers['GET /api/settings'] = { text: '<html>', headers: { 'content-type': 'application/json' } };
    const { message } = await problemOf(request('GET /api/settings'));
    expect(message).toBe(refusal.message);
  });
});

test.each([
  [400, 'Bad Request', { error: 'first', message: 'second' }, 'first'],
  [400, 'Bad Request', { message: 'second' }, 'second'],
  [400, 'Bad Request', { error: '' }, '400 Bad Request'],
  [500, 'Internal Server Error', null, '500 Internal Server Error'],
  [500, '', {}, '500'],
  [429, 'Too Many Requests', 'Slow down', 'Slow down'],
  [502, 'Bad Gateway', '<html><h1>nginx</h1></html>', '502 Bad Gateway'],
  [503, 'Service Unavailable', '', 'Network error. Try again.'],
  [503, 'Service Unavailable', { error: 'Restarting' }, 'Restarting'],
])('%d %s with body %p reads %p', (status, statusText, body, sentence) => {
  expect(errorText(status, statusText, body)).toBe(sentence);
});

test('a screen uses its own sentence only if the server sent none', () => {
  expect(
    messageOf(new ApiError('From the server', 400, { error: 'From the server' }), 'Failed to save'),
  ).toBe('From the server');
  expect(messageOf(new ApiError('500 Internal Server Error', 500, null), 'Failed to save')).toBe(
    'Failed to save',
  );
  expect(messageOf(new TypeError('x is undefined'), 'Failed to save')).toBe('Failed to save');
});
