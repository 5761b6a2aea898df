import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ChartData } from '../../../../src/market/bars/rules/chart.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import type { FindingShown } from '../../../../src/subjects/alerts/web/watchlist/review/api.ts';
import { TakeFindings } from '../../../../src/subjects/alerts/web/watchlist/review/TakeFindings.tsx';
import { LinkedChatsPanel } from '../../../../src/subjects/chats/web/shared/linkedChats/LinkedChatsPanel.tsx';
import { DevicesPanel } from '../../../../src/subjects/devices/web/shared/DevicesPanel.tsx';
import { Sectors } from '../../../../src/subjects/glance/web/map/Sectors.tsx';
import { ChartOptionsButton } from '../../../../src/subjects/stock/web/shared/chart/options/ChartOptionsButton.tsx';
import { barsOf } from '../../../support/chartBars.ts';
import { fakeApi } from '../../../support/fakeApi.ts';
import { aChat, NO_CHATS } from '../../../support/linkedChats.ts';

let copied = '';
let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  copied = '';
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (text: string) => void (copied = text) },
  });
  server = fakeApi({ ...NO_CHATS });
  startSession({ accessToken: 't', accessLevel: 1 });
});
afterEach(() => {
  cleanup();
  endSession();
  server.restore();
  Reflect.deleteProperty(navigator, 'clipboard');
});

async function copy(label: string, item = 'Copy for a spreadsheet'): Promise<string[][]> {
  fireEvent.click(await screen.findByRole('button', { name: label }));
  fireEvent.click(await screen.findByRole('menuitem', { name: item }));
  await screen.findByText(/ rows? copied$/);
  return copied
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd().split('\t'));
}

test('linked chats are taken with their state in words', async () => {
  server.answers['GET /api/settings/linked-chats'] = {
    body: [aChat(), aChat({ id: '6', broken: 'The bot was blocked in this chat.' })],
  };
  render(<LinkedChatsPanel />);
  expect(await copy('Copy or save Linked Accounts')).toEqual([
    ['Platform', 'Account', 'ID', 'State'],
    ['Telegram', 'Maggie', '123456789', 'Confirmed'],
    ['Telegram', 'Maggie', '6', 'Not delivered: The bot was blocked in this chat.'],
  ]);
});

test('devices are taken with the moment of their last message', async () => {
  const device = {
    ...{ id: 1, name: 'Chrome on Android', created_at: '2026-11-20T00:00:00Z' },
    ...{ delivered_at: '2026-11-26T23:00:00Z', status: 'registered', failure: null, test: null },
  };
  server.answers['GET /api/devices'] = {
    body: { publicKey: 'BKey', devices: [device], adminMessages: true },
  };
  render(<DevicesPanel />);
  expect(await copy('Copy or save Devices')).toEqual([
    ['Device', 'Last delivered', 'State'],
    ['Chrome on Android', '2026-11-27T10:00:00+11:00', 'On'],
  ]);
});

test('sectors are taken with their figures as they are, also from the map', async () => {
  const totals = {
    stocks: 3,
    traded: 3,
    advancers: 2,
    decliners: 1,
    highs: 0,
    lows: 0,
    ranged: 0,
    value: 1234.5,
  };
  const sector = { ...totals, name: 'Materials', marketCap: 5e9, change: -0.25 };
  const map = { sectors: [sector], largest: {}, busiest: [] };
  render(<Sectors map={map} securities={undefined} />);
  expect(await copy('Copy or save Sectors')).toEqual([
    ['Sector', 'Change %', 'Advancers', 'Decliners', 'Market Cap', 'Traded'],
    ['Materials', '-0.25', '2', '1', '5000000000', '1234.5'],
  ]);
});

test('the review is taken a finding a row', async () => {
  const finding: FindingShown = {
    ...{ key: 'k', kind: 'silent' as const, text: 'Has not fired for 60 days.', cooldown: null },
    alerts: [{ of: 'alert', id: 1, called: 'BHP Breakout', symbol: 'BHP' }],
    presses: [],
  };
  render(<TakeFindings findings={[finding]} />);
  expect(await copy('Copy or save Review of alerts')).toEqual([
    ['Kind', 'Alerts', 'Finding'],
    ['Never fires', 'BHP Breakout', 'Has not fired for 60 days.'],
  ]);
});

test('the bars of a chart are taken by its options, minutes with their time and days with their date', async () => {
  const ten = fromSydney('2026-01-20', 10, 0);
  const data: ChartData = { tf: '1', bars: barsOf(ten, 60_000, [46.2, 46.3]), unknown: [], knownSince: null };
  render(<ChartOptionsButton tf="1" taken={{ label: 'BHP 1 minute', data }} />);
  const [headings, first] = await copy('Chart options', 'Copy bars for a spreadsheet');
  expect(headings).toEqual(['Time', 'Open', 'High', 'Low', 'Close', 'Volume']);
  expect([first?.[0], first?.[4]]).toEqual(['2026-01-20T10:00:00+11:00', '46.2']);
  cleanup();
  render(<ChartOptionsButton tf="D" taken={{ label: 'BHP 1 day', data: { ...data, tf: 'D' } }} />);
  expect((await copy('Chart options', 'Copy bars for a spreadsheet'))[1]?.[0]).toBe('2026-01-20');
});
