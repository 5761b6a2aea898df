import { afterEach, expect, spyOn, test } from 'bun:test';
import { act, cleanup, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { ErrorBoundary } from '../../web/shared/ErrorBoundary.tsx';
import { fetched } from '../../web/app/fetched.tsx';

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
  const settle = (how: 'comes' | 'fails') =>
    act(async () => {
      if (how === 'comes') asked.at(-1)?.resolve(Hello);
      else asked.at(-1)?.reject(new Error('gone'));
      await Promise.resolve();
    });
  return { Page, page, asked, settle };
}

afterEach(cleanup);

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
