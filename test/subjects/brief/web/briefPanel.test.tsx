import { expect, test } from 'bun:test';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { linkedChats } from '#src/tables/alertSchema.ts';
import { BriefPanel } from '#subjects/brief/web/shared/BriefPanel.tsx';
import { results } from '#support/axe.ts';
import { eachTest } from '#support/eachTest.ts';
import { openWatchlist } from '#support/watchlistScreen.tsx';

const page = eachTest(() => openWatchlist());

const link = () => {
  const { userId } = page;
  const chat = { userId, platform: 'telegram', chatId: '1', createdAt: 1, confirmedAt: 1 } as const;
  page.app.db.insert(linkedChats).values(chat).run();
};
const toggle = () => screen.findByRole<HTMLInputElement>('switch', { name: 'Send the morning brief' });
const saved = () => page.app.parts.brief.service.view(page.userId);

test('the morning brief is off at first, and says when the next one is sent', async () => {
  link();
  render(<BriefPanel />);
  expect((await toggle()).checked).toBe(false);
  await userEvent.click(await toggle());
  await screen.findByText('Next: Thursday 19 November 2026, 09:50 Sydney time.');
  const time = screen.getByLabelText<HTMLInputElement>('Sydney time');
  fireEvent.change(time, { target: { value: '09:15' } });
  fireEvent.blur(time);
  await waitFor(() => expect(saved()).toMatchObject({ active: true, minute: 555 }));
  fireEvent.change(time, { target: { value: '10:15' } });
  fireEvent.blur(time);
  await screen.findByText('Choose a time from 08:45 to 09:59 Sydney.');
  expect(saved()).toMatchObject({ minute: 555 });
  expect(await results(document.body)).toEqual([]);
});

test('the morning brief is not offered to a user without a chat or device', async () => {
  render(<BriefPanel />);
  await screen.findByText(/No chat or device receives messages yet/);
  expect(screen.queryByRole('switch')).toBeNull();
  expect(screen.getByRole('link', { name: 'link a chat' }).getAttribute('href')).toBe(
    '#/settings/linked-accounts',
  );
});
