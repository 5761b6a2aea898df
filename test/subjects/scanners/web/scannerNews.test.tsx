import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Stock } from '../../../../src/market/rules/stock.ts';
import { aStock } from '../../../support/aStock.ts';
import { giveLayout } from '../../../support/layout.ts';
import { row, screenOf, THREE_STOCKS, TODAY } from '../../../support/scannerScreen.tsx';

let takeLayout: () => void;
beforeEach(() => {
  takeLayout = giveLayout();
});
afterEach(() => takeLayout());

describe('the news row', () => {
  const news = {
    [TODAY]: {
      headline: 'Quarterly Report',
      summary: 'Production rose.',
      summary_generated_at: '2026-11-20T00:05:00Z',
      alerted: false,
      announcements: {
        one: {
          headline: 'Quarterly Report',
          url: 'https://example.com/one.pdf',
          announcementTypes: [],
          isPriceSensitive: true,
          time: '2026-11-19T22:10:00Z',
        },
        two: {
          headline: 'Change of Address',
          url: 'javascript:alert(1)',
          announcementTypes: [],
          isPriceSensitive: false,
          time: '2026-11-19T23:10:00Z',
        },
      },
    },
    '19/11/2026': {
      headline: 'Trading Update',
      summary: null,
      summary_generated_at: null,
      alerted: false,
      announcements: {
        three: {
          headline: 'Trading Update',
          url: null,
          announcementTypes: [],
          isPriceSensitive: false,
          time: '2026-11-18T22:10:00Z',
        },
      },
    },
  };
  const openNews = async (change: Partial<Stock>) => {
    render(screenOf('intraDaySmall', [aStock({ code: 'NWS', ...change })]));
    await userEvent.click(screen.getByRole('button', { name: 'News for NWS' }));
    return screen.getByRole('article', { name: 'News for NWS' });
  };

  test('shows sector, status, trend, announcements with their tags and the summary', async () => {
    const article = await openNews({
      news,
      sector: 'Materials',
      trend: { daysUp: 3, daysDown: 0, weeksUp: 0, weeksDown: 1 },
    });
    const text = article.textContent ?? '';
    for (const part of ['Materials', 'Open', 'up 3 days', 'down 1 week', 'Yesterday', 'Production rose.']) {
      expect(text).toContain(part);
    }
    expect(text).toContain('Generated 11:05');
    const lines = within(article).getAllByRole('listitem');
    expect(lines.map((line) => line.textContent)).toEqual([
      '10:10Change of Address',
      '09:10Quarterly ReportPrice Sensitive',
      '09:10Trading UpdatePrev Day',
    ]);
    const link = within(article).getByRole('link');
    expect([link.textContent, link.getAttribute('rel'), link.getAttribute('target')]).toEqual([
      'Quarterly Report',
      'noopener noreferrer',
      '_blank',
    ]);
  });

  test('says when there is none', async () => {
    const article = await openNews({});
    expect(within(article).getByText('No announcements captured for today.')).toBeDefined();
    expect(within(article).queryByText('Yesterday')).toBeNull();
  });

  test('says when something sensitive is not published yet', async () => {
    const article = await openNews({ sensitiveAnnouncements: 1 });
    expect(
      within(article).getByText(
        'Price sensitive activity detected, but no ASX announcement was published yet.',
      ),
    ).toBeDefined();
    expect(within(row('NWS')).getByRole('img', { name: 'News today' })).toBeDefined();
  });
});

describe('names', () => {
  test('link to the quote site when there is one', () => {
    const view = render(screenOf('intraDaySmall', THREE_STOCKS.slice(0, 1), { quoteLink: 'hotcopper' }));
    const link = within(row('AAA')).getByRole('link');
    expect(link.getAttribute('href')).toBe('https://hotcopper.com.au/asx/aaa/');
    expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ]);
    view.rerender(screenOf('intraDaySmall', THREE_STOCKS.slice(0, 1)));
    expect(within(row('AAA')).queryByRole('link')).toBeNull();
    expect(row('AAA').textContent).toContain('AAA Limited');
  });
});
