import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  answerClaim,
  claimLink,
  claimOutcome,
  claimQuestion,
  dismissClaimOutcome,
} from '#subjects/chats/web/shared/claimLink.ts';
import { startLinkTokens } from '#subjects/chats/web/shared/linkToken.ts';
import { startRouter } from '#web/router/router.ts';
import { logIn } from '#subjects/accounts/web/shared/session/account.ts';
import { pendingLinkToken, session, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { startSettings } from '#web/shared/settings.ts';
import { pageApi, MAGGIE } from '#support/fakeApi.ts';

const CLAIM = 'POST /api/link/claim';
const OFFER = 'POST /api/link/offer';
const MALLORY = { platform: 'telegram', id: '4711', label: 'Mallory' };
const LINKED = { isLinked: true, message: 'Chat linked successfully.' };

const server = pageApi(() => ({
  'GET /api/settings': { body: MAGGIE },
  'POST /api/login': { body: { authenticated: true, accessToken: 't2', accessLevel: 1 } },
  [OFFER]: { body: MALLORY },
  [CLAIM]: { body: { success: true } },
}));
let stops: (() => void)[];
beforeEach(() => {
  window.history.replaceState(null, '', '/#/calls');
  stops = [];
});
afterEach(() => {
  for (const stop of stops) stop();
  dismissClaimOutcome();
  window.history.replaceState(null, '', '/');
});

/** Opens a page at an address, as main.tsx does. */
function open(address: string, signedIn = true) {
  if (signedIn) startSession({ accessToken: 't', accessLevel: 1 });
  window.history.replaceState(null, '', address);
  stops.push(startLinkTokens(), startRouter(), startSettings());
}
const claims = () => server.to('/api/link/claim').map(({ body }) => body);
const until = async (isSo: () => boolean) => {
  for (let tries = 0; tries < 1000 && !isSo(); tries += 1) await Bun.sleep(2);
  expect(isSo()).toBe(true);
};
const outcome = async () => {
  await until(() => claimOutcome.value !== null);
  return claimOutcome.value;
};

/** Waits for the question, accepts it, and returns the outcome. */
const accepted = async () => {
  await until(() => claimQuestion.value !== null);
  await answerClaim(true);
  return outcome();
};

describe('a one-time link', () => {
  test('is claimed only by the user’s Yes; after No it is forgotten here, and stays valid', async () => {
    open('/#/settings?linkToken=abc');
    await until(() => claimQuestion.value !== null);
    expect(claimQuestion.value).toEqual(MALLORY as never);
    await Bun.sleep(20);
    expect(claims()).toEqual([]);
    expect(pendingLinkToken()).toBe('abc');
    await answerClaim(false);
    expect(claimQuestion.value).toBeNull();
    expect(pendingLinkToken()).toBeNull();
    expect(claims()).toEqual([]);
    expect(claimOutcome.value).toBeNull();
  });

  test.each([
    '/#/settings?linkToken=abc',
    '/#/settings?token=abc',
    '/?linkToken=abc',
    '/?token=abc#/calls',
    '/#/fx-news?linkToken=%20abc%20',
  ])(
    '%s asks once the settings are loaded, is claimed by a Yes, and leaves no token behind',
    async (address) => {
      open(address);
      expect(claims()).toEqual([]);
      expect(window.location.href).toBe('http://127.0.0.1:3000/#/settings');
      expect(await accepted()).toEqual(LINKED);
      expect(claims()).toEqual([{ token: 'abc' }]);
      expect(pendingLinkToken()).toBeNull();
    },
  );

  test('opened in a running page is claimed too, and not kept in its history', async () => {
    open('/#/calls');
    const before = window.history.length;
    window.location.hash = '#/settings?linkToken=abc';
    window.dispatchEvent(new Event('hashchange'));
    expect(await accepted()).toEqual(LINKED);
    expect(window.location.hash).toBe('#/settings');
    expect(window.history.length).toBeLessThanOrEqual(before + 1);
  });

  test('of a visitor waits for the login, which opens Settings', async () => {
    open('/#/settings?linkToken=abc', false);
    expect(window.location.hash).toBe('#/login');
    expect(pendingLinkToken()).toBe('abc');
    expect(claims()).toEqual([]);
    expect(await logIn({ identifier: 'maggie', password: 'secret' })).toBeNull();
    expect(window.location.hash).toBe('#/settings');
    expect(await accepted()).toEqual(LINKED);
    expect(server.to('/api/link/claim')[0]?.authorization).toBe('t2');
  });

  test('of an ended session waits for the next login', async () => {
    server.answers[CLAIM] = { status: 401, body: { error: 'Sign in' } };
    open('/#/settings?linkToken=abc');
    await until(() => claimQuestion.value !== null);
    await answerClaim(true);
    await until(() => !session.value.isAuthenticated);
    await until(() => pendingLinkToken() === 'abc');
    expect(window.location.hash).toBe('#/login');
    expect(claimOutcome.value).toBeNull();
    server.answers[CLAIM] = { body: { success: true } };
    await logIn({ identifier: 'maggie', password: 'secret' });
    expect(await accepted()).toEqual(LINKED);
    expect(claims()).toHaveLength(2);
  });

  test('is claimed by only one of two windows', async () => {
    startSession({ accessToken: 't', accessLevel: 1 });
    localStorage.setItem('pendingLinkToken', 'abc');
    await Promise.all([claimLink(), claimLink()]);
    expect(claims()).toEqual([{ token: 'abc' }]);
  });

  test('opened again in this browser is not claimed again, and shows that the chat is linked', async () => {
    open('/#/settings?linkToken=abc');
    await accepted();
    dismissClaimOutcome();
    window.location.hash = '#/settings?linkToken=abc';
    window.dispatchEvent(new Event('hashchange'));
    expect(await outcome()).toEqual(LINKED);
    expect(claims()).toHaveLength(1);
  });
});

describe('a link that cannot be claimed', () => {
  test.each([
    [{ body: { success: false } }, 'Failed to claim link token'],
    [{ status: 400, body: { success: false, error: 'This link has expired.' } }, 'This link has expired.'],
  ] as const)('%j shows the reason and is dropped', async (answer, message) => {
    server.answers[CLAIM] = answer;
    open('/#/settings?linkToken=abc');
    expect(await accepted()).toEqual({ isLinked: false, message });
    expect(pendingLinkToken()).toBeNull();
  });

  test.each([
    ['offline', 'Network error. Try again.'],
    [{ status: 502, text: '<html>' }, 'Failed to claim link token'],
  ] as const)('while the server is unreachable waits until it is back: %j', async (answer, message) => {
    server.answers[CLAIM] = answer;
    open('/#/settings?linkToken=abc');
    expect(await accepted()).toEqual({ isLinked: false, message });
    expect(pendingLinkToken()).toBe('abc');
    server.answers[CLAIM] = { body: { success: true } };
    window.dispatchEvent(new Event('online'));
    await until(() => claimOutcome.value?.isLinked === true);
    expect(pendingLinkToken()).toBeNull();
  });
});
