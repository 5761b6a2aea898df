import { act, screen, within } from '@testing-library/react';
import { pageApi } from './fakeApi.ts';

/** The server of each test of a file, with an administrator’s session. */
export const adminApi = (answers: Parameters<typeof pageApi>[0]) => pageApi(answers, 4);

/** Lets pending answers arrive. */
export const settle = () =>
  act(async () => {
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
  });

/** The cells of a table, row by row, without its headings. */
export const rowsOf = (name: string): string[][] =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent.trim()));
