import { expect, test } from 'bun:test';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Logs } from '#admin/logs/web/Logs.tsx';
import '#ui/ConfirmDialog.tsx';
import { results } from '#support/axe.ts';
import { adminApi, rowsOf } from '#support/adminApi.ts';

const LIST = 'GET /api/admin/logs';
const TAIL = 'GET /api/admin/logs/bellbird.log/tail';

const tailed = (text: string, more: object = {}) => ({
  body: { text, file: '1-2', end: text.length, cut: false, restarted: false, ...more },
});

const server = adminApi(() => ({
  [LIST]: {
    body: {
      logs: [
        { name: 'bellbird.log', size: 2048, mtimeMs: Date.now() - 5000, current: true },
        { name: 'bellbird.log.1', size: 5_242_880, mtimeMs: Date.now() - 3 * 3_600_000, current: false },
      ],
    },
  },
  [TAIL]: tailed('one\ntwo\n'),
  'GET /api/admin/logs/bellbird.log.1/tail': tailed('older\n'),
}));

const lines = (name = 'bellbird.log') => screen.findByRole('region', { name: `Lines of ${name}` });
const show = async () => {
  render(<Logs />);
  return lines();
};
const tails = () => server.to('/api/admin/logs/bellbird.log/tail');

test('the list shows size and age, and the end of the file that is being written', async () => {
  expect((await show()).textContent).toBe('one\ntwo\n');
  expect(rowsOf('Log files')).toEqual([
    ['bellbird.log In use', '2.0 KB', 'just now', 'ViewDownloadClear'],
    ['bellbird.log.1', '5.0 MB', '3 h ago', 'ViewDownloadClear'],
  ]);
  expect(await results(document.body)).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'View bellbird.log.1' }));
  expect((await lines('bellbird.log.1')).textContent).toBe('older\n');
});

test('the end of a file is plain text with invisible characters made visible', async () => {
  server.answers[TAIL] = tailed('<b>bold</b> \u001b[31mred \u202eturned\n');
  const view = await show();
  expect(view.textContent).toBe('<b>bold</b> \ufffd[31mred \ufffdturned\n');
  expect(view.querySelector('b') === null).toBe(true);
});

test('following adds new lines, starts again after a clearing, and pauses while the page is hidden', async () => {
  const check = () => act(() => void document.dispatchEvent(new Event('visibilitychange')));
  const toggle = () => screen.getByRole('switch', { name: 'Follow' });

  await show();
  server.answers[TAIL] = tailed('three\n', { end: 14 });
  await userEvent.click(toggle());
  await waitFor(async () => expect((await lines()).textContent).toBe('one\ntwo\nthree\n'));
  server.answers[TAIL] = tailed('fresh\n', { restarted: true });
  check();
  await waitFor(async () => expect((await lines()).textContent).toBe('The file was cleared.\nfresh\n'));
  server.answers[TAIL] = tailed('much\n', { cut: true });
  check();
  await waitFor(async () => expect((await lines()).textContent).toContain('Some lines are omitted here'));

  const hide = (value: boolean) =>
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
  hide(true);
  const before = tails().length;
  check();
  expect(tails().length).toBe(before);
  hide(false);
  server.answers[TAIL] = tailed('');
  check();
  await waitFor(() => expect(tails().length).toBe(before + 1));
  Reflect.deleteProperty(document, 'hidden');
});
