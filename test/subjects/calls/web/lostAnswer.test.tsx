import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SubmitCallDialog } from '../../../../src/subjects/calls/web/parts/SubmitCallDialog.tsx';
import { resetCalls } from '../../../../src/subjects/calls/web/state.ts';
import { type AppInPage, listed, openAppInPage } from '../../../support/appInPage.ts';

let page: AppInPage;
let submitted = 0;
beforeEach(async () => {
  page = openAppInPage();
  page.quote(listed('CB', 1.5));
  await page.signIn('olive');
  submitted = 0;
  render(<SubmitCallDialog onClose={() => undefined} onSubmitted={() => void (submitted += 1)} />);
});
afterEach(() => {
  cleanup();
  page.close();
  resetCalls();
});

const submit = () => userEvent.click(screen.getByRole('button', { name: /^Submit/ }));
const stored = () =>
  page.app.db.$client.query<{ count: number }, []>('SELECT count(*) AS count FROM calls').get()?.count;

test('a call whose answer was lost is sent again without a second call, a changed one makes its own', async () => {
  await userEvent.type(screen.getByRole('combobox', { name: 'Symbol' }), 'CB');
  await userEvent.tab();
  page.fail(async (request) => {
    await page.app.app.handle(request.clone());
    return 'offline' as const;
  });
  await submit();
  await screen.findByText('Network error. Try again.');
  expect(stored()).toBe(1);
  page.fail(null);
  await submit();
  await waitFor(() => expect(submitted).toBe(1));
  expect(stored()).toBe(1);
  const target = screen.getByRole('spinbutton', { name: 'Target Price' });
  await userEvent.clear(target);
  await userEvent.type(target, '9');
  await submit();
  await waitFor(() => expect(submitted).toBe(2));
  expect(stored()).toBe(2);
});
