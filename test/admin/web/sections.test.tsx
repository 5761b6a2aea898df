import userEvent from '@testing-library/user-event';
import { expect, test } from 'bun:test';
import { render, screen, waitFor, within } from '@testing-library/react';
import type { ReactElement } from 'react';
import { CallReview } from '#admin/callReview/web/CallReview.tsx';
import { CatalogStatus } from '#admin/catalog/web/CatalogStatus.tsx';
import { EndpointActivity } from '#admin/endpoints/web/EndpointActivity.tsx';
import { StateInspector } from '#admin/inspector/web/StateInspector.tsx';
import { ManualQuestion } from '#admin/question/web/ManualQuestion.tsx';
import { Connections } from '#admin/reachability/web/Connections.tsx';
import { ServerSettings } from '#admin/settings/web/ServerSettings.tsx';
import { adminApi, rowsOf } from '#support/adminApi.ts';
import { results } from '#support/axe.ts';

const AT = 1_795_136_400_000;
const STATE = {
  sections: [
    {
      key: 'market',
      label: 'Market',
      description: 'The record of every stock.',
      type: 'map',
      stats: { stocks: 2000, date: '2026-11-20' },
      error: null,
    },
    {
      key: 'feed',
      label: 'Market source',
      description: '',
      type: 'object',
      error: null,
      stats: { healthy: true, lastSuccess: AT, problem: null },
    },
    {
      key: 'outbox',
      label: 'outbox',
      description: '',
      type: '',
      stats: {},
      error: 'This section could not be read. See the log for the reason.',
    },
  ],
  fetchedAt: AT,
};
const CALLS = {
  metrics: [
    {
      method: 'POST',
      endpoint: 'tradingview/australia/scan',
      count: 1234,
      errors: 2,
      averageMs: 210,
      slowestMs: 12_400,
      lastAt: AT,
      lastSuccessAt: AT,
      lastError: 'HTTP 429',
    },
    {
      method: 'GET',
      endpoint: 'asx/markets/announcements',
      count: 3,
      errors: 0,
      averageMs: 80,
      slowestMs: 95,
      lastAt: AT,
      lastSuccessAt: null,
      lastError: null,
    },
  ],
  date: '2026-11-20',
  days: ['2026-11-20', '2026-11-19'],
};

const aCall = (publicId: string, symbol: string, adminStatus: string) => ({
  publicId,
  symbol,
  adminStatus,
  status: 'closed',
  submittedAt: '2026-11-19T23:05:00Z',
  reviewReason: null,
  pocketedValue: 1840,
  submittedBy: { display: 'maggie' },
});
const aSetting = (name: string, more: object) => ({
  name,
  meaning: 'what it does',
  isSecret: false,
  isSet: false,
  value: null,
  fallback: 'none',
  origin: 'default',
  ...more,
});
const REJECT = 'POST /api/admin/calls/c1/admin-status';
const server = adminApi(() => ({
  'GET /api/calls/leaderboard': {
    body: {
      calls: [aCall('c2', 'CBA', 'rejected'), aCall('c1', 'BHP', 'review'), aCall('c3', 'NEM', 'normal')],
      leaderboard: [],
      fetchedAt: 1,
    },
  },
  'GET /api/admin/internal-state': { body: STATE },
  'GET /api/admin/external-metrics': { body: CALLS },
  'GET /api/admin/settings': {
    body: {
      settings: [
        aSetting('BELLBIRD_PORT', { isSet: true, value: '3001', fallback: '3000', origin: 'environment' }),
        aSetting('BELLBIRD_AI_KEY', { isSecret: true, isSet: true, origin: 'file' }),
      ],
    },
  },
  [REJECT]: { body: {} },
}));
const rows = async (name: string) => {
  await screen.findByRole('table', { name });
  return rowsOf(name).map((cells) => cells.join(' | '));
};

const TABLES: [name: string, section: () => ReactElement, rows: string[]][] = [
  [
    'Calls awaiting admin review',
    () => <CallReview />,
    [
      'BHP | maggie | Closed | Review | 20 Nov 10:05 | +$1,840 | RejectMark normal',
      'CBA | maggie | Closed | Rejected | 20 Nov 10:05 | +$1,840 | RejectMark normal',
    ],
  ],
  [
    'Parts of the server',
    () => <StateInspector />,
    [
      'Market | map | stocks 2,000date 2026-11-20 | Inspect',
      'Market source | object | healthy yeslast success 2026-11-20 12:00:00problem – | Inspect',
      'outbox |  | This section could not be read. See the log for the reason. | Inspect',
    ],
  ],
  [
    'Requests to other servers',
    () => <EndpointActivity />,
    [
      'POST | tradingview/australia/scan | 1,234 | 2 HTTP 429 | 12.4 s | 12:00:00',
      'GET | asx/markets/announcements | 3 | 0 | 95 ms | –',
    ],
  ],
  [
    'Settings',
    () => <ServerSettings />,
    [
      'BELLBIRD_PORT | what it does | 3001 | 3000 | Environment',
      'BELLBIRD_AI_KEY | what it does | Set | none | File in the data folder',
    ],
  ],
];
test.each(TABLES)('%s are listed', async (name, section, expected) => {
  render(section());
  expect(await rows(name)).toEqual(expected);
  expect(await results(document.body)).toEqual([]);
});

test('a call that is rejected stays, and the focus moves to the other button', async () => {
  render(<CallReview />);
  await userEvent.click(await screen.findByRole('button', { name: 'Reject BHP by maggie' }));
  const other = screen.getByRole('button', { name: 'Mark normal BHP by maggie' });
  await waitFor(() => expect(document.activeElement === other).toBe(true));
  expect(server.to('/api/admin/calls/c1/admin-status')[0]?.body).toEqual({ adminStatus: 'rejected' });
});

test('settings are filtered by name and value', async () => {
  render(<ServerSettings />);
  const box = await screen.findByRole('searchbox', { name: 'Filter settings' });
  await userEvent.type(box, ' 3001 ');
  expect(await rows('Settings')).toEqual([expect.stringContaining('BELLBIRD_PORT')]);
  await userEvent.type(box, 'xyz');
  await screen.findByText('No settings match.');
});

test('a connection test shows the result and the fix', async () => {
  const model = { key: 'model', name: 'Model', tries: 'Asks for one token.', costs: true };
  server.answers['GET /api/admin/connections'] = { body: { connections: [model] } };
  const says = { says: 'It refused the key.', remedy: 'Compare BELLBIRD_AI_KEY.', tookMs: 2340 };
  server.answers['POST /api/admin/connections/model/test'] = { body: { state: 'wrong', ...says } };
  render(<Connections />);
  await userEvent.click(await screen.findByRole('button', { name: 'Test Model' }));
  await screen.findByText('Does not work');
  const item = within(screen.getByRole('list', { name: 'Connections' })).getByRole('listitem');
  expect(item.textContent).toContain('A test may incur a small charge and is recorded in the audit log.');
  expect(item.textContent).toContain('It refused the key. In 2.3 s.Compare BELLBIRD_AI_KEY.');
});

test('a manual question shows its response as text, with its usage', async () => {
  const tools = [{ name: 'get_price', arguments: {}, ms: 3, ok: false }];
  const meta = { model: 'llama', promptTokens: 1234, completionTokens: 56, ms: 789, level: 4, tools };
  server.answers['POST /api/admin/askai'] = { body: { response: '<b>BHP</b> rose', meta } };
  render(<ManualQuestion />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Question' }), 'What moved?');
  await userEvent.click(screen.getByRole('button', { name: 'Generate Response' }));
  const answer = await screen.findByRole('region', { name: 'Response' });
  expect(answer.textContent).toContain('<b>BHP</b> rose');
  for (const fact of ['llama', '1,234 in, 56 out', '789 ms', 'get_price (3 ms) failed'])
    expect(answer.textContent).toContain(fact);
  expect(server.calls[0]?.body).toEqual({ question: 'What moved?', forceAccessLevel: 4 });
});

test('the catalog shows its number of indicators, and what a refresh added', async () => {
  const body = (totalIndicators: unknown) => ({
    body: { fetchedAt: Date.UTC(2025, 10, 18), totalIndicators },
  });
  server.answers['GET /api/admin/indicators/catalog/tv/status'] = body('1590');
  server.answers['POST /api/admin/indicators/catalog/tv/refresh'] = body(1600);
  render(<CatalogStatus />);
  await screen.findByText('1,590');
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await screen.findByText('1,600');
});
