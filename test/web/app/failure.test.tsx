import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { codeAttempt, fetched } from '#web/app/fetched.tsx';
import { forgetWaiting } from '#web/shared/onReconnect.ts';
import { ErrorBoundary } from '#web/shared/ErrorBoundary.tsx';
import { ScreenFailure } from '#web/app/Shell.tsx';
import { navigate } from '#web/router/navigate.ts';
import { patchSettings } from '#web/shared/settings.ts';
import { results } from '#support/axe.ts';
import { appByHand } from '#support/appByHand.tsx';

const app = appByHand();
const logged = console.error;
/** What was reported, instead of the console. */
let reported: unknown[][];
beforeEach(() => {
  reported = [];
  console.error = (...given: unknown[]) => void reported.push(given);
});
afterEach(() => {
  console.error = logged;
});

const alerts = () => screen.queryAllByRole('alert').map((alert) => alert.querySelector('h1, p')?.textContent);
const reload = () => screen.getByRole('button', { name: 'Reload' });
const reports = (text: string) =>
  expect(reported.some((given) => given.some((part) => String(part).includes(text)))).toBe(true);

describe('a part that breaks', () => {
  test('shows a sentence instead of a screen, keeps the shell, and the next screen works', async () => {
    await app.open('/pre-market', 1);
    act(() => patchSettings({ columnPreferences: { preMarket: 7 as never } }));
    expect(alerts()).toEqual(['This screen stopped working.']);
    expect(reload()).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();
    reports('A part of the page failed to render.');
    expect(await results(document.body)).toEqual([]);
    act(() => navigate('/fx-news'));
    await screen.findByRole('heading', { name: 'Economic Calendar' });
    expect(alerts()).toEqual([]);
  });
  test('shows the last page if it is the shell, which needs no other code', async () => {
    Object.defineProperty(document, 'title', {
      configurable: true,
      set: () => {
        throw new Error('no title');
      },
    });
    try {
      await app.open('/fx-news', 1);
    } finally {
      Reflect.deleteProperty(document, 'title');
    }
    expect(screen.getByRole('alert').textContent).toStartWith('Bellbird stopped working.');
    expect(screen.queryByRole('banner') === null).toBe(true);
    expect(reload()).toBeTruthy();
    expect(document.body.querySelector('[class]')).toBeNull();
    expect(await results(document.body)).toEqual([]);
  });
});

// The sentences of Chromium, Firefox and Safari.
test.each([
  'Failed to fetch dynamically imported module: http://127.0.0.1/assets/CallsPage-1.js',
  'error loading dynamically imported module: http://127.0.0.1/assets/CallsPage-1.js',
  'Importing a module script failed.',
])('a failed load differs from code that breaks: %s', (message) => {
  render(<ScreenFailure problem={new TypeError(message)} />);
  const alert = within(screen.getByRole('alert'));
  expect(alert.getByRole('heading', { level: 1 }).textContent).toBe('This screen could not be loaded.');
  expect(reload()).toBeTruthy();
});

test('a boundary hides details from the user, and renders its children again with a new key', () => {
  const Broken = (): never => {
    throw new Error('secret detail');
  };
  const fallback = (problem: unknown) => <ScreenFailure problem={problem} />;
  const { rerender } = render(
    <ErrorBoundary resetKey="/a" fallback={fallback}>
      <Broken />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('alert').textContent).toContain('This screen stopped working.');
  expect(document.body.textContent).not.toContain('secret detail');
  rerender(
    <ErrorBoundary resetKey="/b" fallback={fallback}>
      <p>fine</p>
    </ErrorBoundary>,
  );
  expect(screen.getByText('fine')).toBeTruthy();
});

test('code that fails just as the network returns is requested again', async () => {
  const asked: PromiseWithResolvers<() => ReactNode>[] = [];
  const Page = fetched(() => {
    const next = Promise.withResolvers<() => ReactNode>();
    asked.push(next);
    return next.promise;
  });
  /** As in the shell: each attempt renders failed code again. */
  function Shell() {
    const attempt = useSyncExternalStore(
      (notify) => codeAttempt.subscribe(notify),
      codeAttempt.peek.bind(codeAttempt),
    );
    return (
      <ErrorBoundary resetKey={String(attempt)} fallback={() => <p>failed</p>}>
        <Page />
      </ErrorBoundary>
    );
  }
  const problem = new Error('Failed to fetch dynamically imported module: /assets/a.js');
  const comeBack = () => act(async () => void window.dispatchEvent(new Event('online')));
  render(<Shell />);
  await act(async () => asked[0]?.reject(problem));
  expect(screen.getByText('failed')).toBeDefined();
  await comeBack();
  expect(asked).toHaveLength(2);
  // Returns again while the request that came too early is still pending and will fail.
  await comeBack();
  // As in a browser, in two steps: the attempt renders before the failure arrives.
  asked[1]?.reject(problem);
  await waitFor(() => expect(asked).toHaveLength(3));
  await act(async () => asked[2]?.resolve(() => <p>Hello</p>));
  expect(screen.getByText('Hello')).toBeDefined();
  forgetWaiting();
});
