import { afterEach, expect, spyOn, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { type ComponentType, type ReactNode, useSyncExternalStore } from 'react';
import { ErrorBoundary } from '../../../web/shared/ErrorBoundary.tsx';
import { codeAttempt, fetched } from '../../../web/app/fetched.tsx';
import { forgetWaiting } from '../../../web/shared/onReconnect.ts';

type Props = { name: string };
const Hello = ({ name }: Props) => <p>Hello {name}</p>;

/** Code that arrives, or fails, when the test says so. */
function codeOf() {
  const asked: PromiseWithResolvers<ComponentType<Props>>[] = [];
  const Page = fetched<Props>(() => {
    const next = Promise.withResolvers<ComponentType<Props>>();
    asked.push(next);
    return next.promise;
  });
  const page = (
    <ErrorBoundary fallback={() => <p>failed</p>}>
      <Page name="Anna" />
    </ErrorBoundary>
  );
  const settle = (how: 'comes' | 'fails', why = 'gone') =>
    act(async () => {
      if (how === 'comes') asked.at(-1)?.resolve(Hello);
      else asked.at(-1)?.reject(new Error(why));
      await Promise.resolve();
    });
  return { Page, page, asked, settle };
}

afterEach(() => {
  cleanup();
  forgetWaiting();
});

test('something says that it loads until the code is there, and later screens have it at once', async () => {
  const { page, asked, settle } = codeOf();
  render(page);
  expect(screen.getByRole('status').textContent).toBe('Loading…');
  await settle('comes');
  expect(screen.getByText('Hello Anna')).toBeDefined();
  cleanup();
  render(page);
  expect(screen.getByText('Hello Anna')).toBeDefined();
  expect(asked).toHaveLength(1);
});

test('code that was fetched ahead is shown without a word, and asked for once', async () => {
  const { Page, page, asked, settle } = codeOf();
  Page.preload();
  Page.preload();
  await settle('comes');
  render(page);
  expect(screen.getByText('Hello Anna')).toBeDefined();
  expect(asked).toHaveLength(1);
});

test('a failure is thrown as long as the page lives; one of fetching ahead is forgotten', async () => {
  const error = spyOn(console, 'error').mockImplementation(() => {});
  const { Page, page, asked, settle } = codeOf();
  Page.preload();
  await settle('fails');
  render(page);
  await settle('fails');
  expect(screen.getByText('failed')).toBeDefined();
  cleanup();
  render(page);
  expect(screen.getByText('failed')).toBeDefined();
  expect(asked).toHaveLength(2);
  error.mockRestore();
});

/** As the shell has it: what failed for want of code has another chance with each attempt. */
function Chances({ children }: { children: ReactNode }) {
  const attempt = useSyncExternalStore(
    (tell) => codeAttempt.subscribe(tell),
    codeAttempt.peek.bind(codeAttempt),
  );
  return (
    <ErrorBoundary resetKey={String(attempt)} fallback={() => <p>failed</p>}>
      {children}
    </ErrorBoundary>
  );
}

test('code that fails just as the network is back is asked for again', async () => {
  const error = spyOn(console, 'error').mockImplementation(() => {});
  const { Page, asked, settle } = codeOf();
  const OFFLINE = 'Failed to fetch dynamically imported module: /assets/a.js';
  const comeBack = () => act(async () => void window.dispatchEvent(new Event('online')));
  render(
    <Chances>
      <Page name="Anna" />
    </Chances>,
  );
  await settle('fails', OFFLINE);
  expect(screen.getByText('failed')).toBeDefined();
  await comeBack();
  expect(asked).toHaveLength(2);
  // Back once more while what was asked for too early is still on its way, and fails.
  await comeBack();
  // As a browser has it, and not in one go: the attempt shows before the failure does.
  asked.at(-1)?.reject(new Error(OFFLINE));
  await waitFor(() => expect(asked).toHaveLength(3));
  await settle('comes');
  expect(screen.getByText('Hello Anna')).toBeDefined();
  error.mockRestore();
});
