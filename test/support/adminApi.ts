import { afterEach, beforeEach } from 'bun:test';
import { cleanup, screen, within } from '@testing-library/react';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { fakeApi } from './fakeApi.ts';

export function adminApi(answers: () => Parameters<typeof fakeApi>[0]) {
  let server: ReturnType<typeof fakeApi>;
  beforeEach(() => {
    server = fakeApi(answers());
    startSession({ accessToken: 't', accessLevel: 4 });
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

/** The cells of a table, row by row, without its headings. */
export const rowsOf = (name: string): string[][] =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent.trim()));
