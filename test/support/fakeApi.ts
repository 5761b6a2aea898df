import { afterEach, beforeEach } from 'bun:test';
import { cleanup } from '@testing-library/react';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';

type Reply = { status?: number; body?: unknown; text?: string; headers?: Record<string, string> };
type Call = {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  authorization: string | null;
};
type Answer = Reply | ((call: Call) => Reply | Promise<Reply>);

/**
 * Answers the page’s requests instead of the server, by 'GET /api/settings'; everything else is a 404. 'offline' makes a request fail as without a
 * network. Calls are recorded in order; `restore` puts the real fetch back.
 */
export function fakeApi(answers: Record<string, Answer | 'offline'>) {
  const real = globalThis.fetch;
  const calls: Call[] = [];
  const fake = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { pathname, searchParams } = new URL(
      input instanceof Request ? input.url : String(input),
      'http://127.0.0.1:3000',
    );
    const call: Call = {
      method: init.method ?? 'GET',
      path: pathname,
      query: Object.fromEntries(searchParams),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      authorization: new Headers(init.headers).get('authorization'),
    };
    calls.push(call);
    const answer = answers[`${call.method} ${call.path}`] ?? { status: 404, body: { error: 'Not found' } };
    if (answer === 'offline') throw new TypeError('Failed to fetch');
    // No server answers within the call.
    await Promise.resolve();
    const { status = 200, body, text, headers } = typeof answer === 'function' ? await answer(call) : answer;
    if (body === undefined) {
      return new Response(status === 204 ? null : (text ?? ''), { status, ...(headers ? { headers } : {}) });
    }
    return new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });
  };
  globalThis.fetch = Object.assign(fake, { preconnect: real.preconnect });
  return {
    calls,
    to: (path: string) => calls.filter((call) => call.path === path),
    answers,
    restore: () => {
      globalThis.fetch = real;
    },
  };
}

/** The server of each test of a file, with a session at this level unless it is 0. */
export function pageApi(answers: () => Parameters<typeof fakeApi>[0], accessLevel = 0) {
  let server: ReturnType<typeof fakeApi>;
  beforeEach(() => {
    server = fakeApi(answers());
    if (accessLevel > 0) startSession({ accessToken: 't', accessLevel });
  });
  afterEach(() => {
    cleanup();
    endSession();
    server.restore();
  });
  return {
    get answers() {
      return server.answers;
    },
    get calls() {
      return server.calls;
    },
    to: (path: string) => server.to(path),
  };
}

export const MAGGIE = {
  username: 'maggie',
  subscriptionType: 'basic',
  requestedSubscriptionType: null,
  quoteSite: 'none',
  columnPreferences: {},
};

/** Only the login session of this browser. */
export const ONE_SESSION = {
  'GET /api/settings/sessions': {
    body: { sessions: [{ id: 'this', device: 'Firefox on Linux', current: true }] },
  },
};
