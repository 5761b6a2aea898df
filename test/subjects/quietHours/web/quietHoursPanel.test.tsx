import { expect, test } from 'bun:test';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { QuietHoursPanel } from '#subjects/quietHours/web/shared/QuietHoursPanel.tsx';
import { results } from '#support/axe.ts';
import { openWatchlist } from '#support/watchlistScreen.tsx';
import { eachTest } from '#support/eachTest.ts';

const page = eachTest(() => openWatchlist());

const saved = () => page.app.parts.quietHours.service.of(page.userId);
const toggle = () => screen.findByRole<HTMLInputElement>('switch', { name: 'Quiet hours on' });

test('quiet hours in Settings are off at first, and each choice is saved immediately', async () => {
  render(<QuietHoursPanel />);
  expect((await toggle()).checked).toBe(false);
  await userEvent.click(await toggle());
  await waitFor(() => expect(saved().active).toBe(true));
  const from = screen.getByLabelText<HTMLInputElement>('From');
  expect(from.value).toBe('21:00');
  fireEvent.change(from, { target: { value: '22:30' } });
  fireEvent.blur(from);
  await waitFor(() => expect(saved().from).toBe(22 * 60 + 30));
  await userEvent.selectOptions(screen.getByLabelText('Time zone'), 'Australia/Perth');
  await waitFor(() => expect(saved().zone).toBe('Australia/Perth'));
  await userEvent.click(screen.getByRole('radio', { name: 'Hourly' }));
  await waitFor(() => expect(saved().digest).toBe('hourly'));
  expect(await results(document.body)).toEqual([]);
});

test('quiet hours in Settings show a failed load or save, and keep the choice', async () => {
  const fail = ({ url }: { url: string }) =>
    url.endsWith('/quiet-hours') ? Response.json({}, { status: 500 }) : null;
  page.fail(fail);
  render(<QuietHoursPanel />);
  await screen.findByText('Failed to load your quiet hours');
  page.fail(null);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await toggle();
  page.fail(fail);
  await userEvent.click(await toggle());
  await screen.findByText('Failed to save');
  expect((await toggle()).checked).toBe(true);
  page.fail(null);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(saved().active).toBe(true));
});
