import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type AppOnAnswers, openAppOnAnswers, PATIENT, showMarket } from '#support/appOnAnswers.tsx';
import { results } from '#support/axe.ts';

const SEARCH = '/api/data/news/search';
const found = (id: string, headline: string, more: object = {}) => ({
  id,
  code: 'BHP',
  headline,
  url: `https://example.com/${id}.pdf`,
  time: '2015-11-19T22:10:00Z',
  isPriceSensitive: false,
  announcementTypes: [],
  ...more,
});

let page: AppOnAnswers;
let opened: unknown[];
const realOpen = window.open;
beforeEach(() => {
  page = openAppOnAnswers();
  opened = [];
  window.open = ((...given: unknown[]) => {
    opened.push(given);
    return null;
  }) as typeof window.open;
});
afterEach(() => {
  window.open = realOpen;
  page.close();
});

const box = () => screen.findByRole('combobox', { name: 'Symbol, screen or action' });
async function open(level = 1) {
  await page.open('/settings', level);
  showMarket(page);
  await userEvent.keyboard('{Control>}k{/Control}');
  return box();
}
const labels = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const state = () => document.querySelector('.palette-state')?.textContent;
const answers = (...announcements: object[]) => page.answer(`GET ${SEARCH}`, { announcements });
/** The pending requests, each answered by the test. */
function answersLate(): ((reply: object) => void)[] {
  const late: ((reply: object) => void)[] = [];
  page.server.answers[`GET ${SEARCH}`] = () => new Promise((done) => late.push(done as () => void));
  return late;
}

test('the palette finds headlines below all other results, after a pause in typing', async () => {
  const report = found('a1', 'Quarterly report', { isPriceSensitive: true, time: '2026-11-19T22:10:00Z' });
  const late = answersLate();
  // Pasted, because a busy machine could send a request between two letters.
  await userEvent.click(await open());
  await userEvent.paste('quar');
  expect(state()).toBe('Searching headlines…');
  expect(labels()).toEqual([]);
  expect(document.querySelector('.palette-none')?.textContent ?? '').toBe('');
  await waitFor(() => expect(late).toHaveLength(1), PATIENT);
  await act(async () => late[0]?.({ body: { announcements: [report] } }));
  await waitFor(() => expect(labels()).toHaveLength(1), PATIENT);
  expect(labels()[0]).toMatch(/^BHPQuarterly report · .*09:10 · Price sensitive$/);
  expect(state()).toBe('');
  expect(page.server.to(SEARCH)).toHaveLength(1);
  expect(await results(document.body)).toEqual([]);
});

test('the palette finds headlines and shows the stock that has them in the pane', async () => {
  answers(found('a1', 'Quarterly report'));
  const typed = await open();
  await userEvent.type(typed, 'quar');
  await waitFor(() => expect(labels()).toHaveLength(1), PATIENT);
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('article', { name: 'News for BHP' }, PATIENT)).toBeTruthy();
  expect(window.location.hash).toBe('#/intra-day-mid-large');
  expect(opened).toEqual([]);
  // Closed by the user it stays closed, and another jump opens it again.
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.type(await box(), 'quar');
  await waitFor(() => expect(labels()).toHaveLength(1), PATIENT);
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('article', { name: 'News for BHP' }, PATIENT)).toBeTruthy();
});

test('the palette finds headlines and opens the document of an older one, only at a web address', async () => {
  answers(
    found('old', 'Annual report'),
    found('gone', 'Annual dinner', { code: 'OLD' }),
    found('bad', 'Annual trick', { code: 'BAD', url: 'javascript:alert(1)' }),
  );
  await userEvent.type(await open(), 'annual');
  await waitFor(() => expect(labels()).toHaveLength(2), PATIENT);
  expect(labels()).toEqual([
    'BHPAnnual report · 20 Nov 2015 09:10 · Document',
    'OLDAnnual dinner · 20 Nov 2015 09:10 · Document',
  ]);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(opened).toEqual([['https://example.com/gone.pdf', '_blank', 'noopener,noreferrer']]);
});

test('the palette finds headlines only for the newest query, and drops late answers to older ones', async () => {
  const late = answersLate();
  const typed = await open();
  await userEvent.click(typed);
  await userEvent.paste('zza');
  await waitFor(() => expect(late).toHaveLength(1), PATIENT);
  await userEvent.type(typed, 'b');
  await waitFor(() => expect(late).toHaveLength(2), PATIENT);
  await act(async () => late[1]?.({ body: { announcements: [found('new', 'Newer')] } }));
  await act(async () => late[0]?.({ body: { announcements: [found('late', 'Late')] } }));
  await waitFor(() => expect(labels()).toHaveLength(1), PATIENT);
  expect(labels()[0]).toContain('Newer');
});
