import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { EndpointActivity } from '../../../../src/admin/endpoints/web/EndpointActivity.tsx';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { findings } from '../../../support/axe.ts';
import { fakeApi } from '../../../support/fakeApi.ts';
import { OWN_STATE_ANSWERS, SPECIFIED_STATE_ANSWERS } from '../../../support/specifiedState.ts';

const METRICS = 'GET /api/admin/external-metrics';

let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({ [METRICS]: { body: OWN_STATE_ANSWERS[METRICS] } });
  startSession({ accessToken: 't', accessLevel: 4 });
});
afterEach(() => {
  cleanup();
  endSession();
  server.restore();
});

const rows = () =>
  within(screen.getByRole('table', { name: 'Calls to other servers' }))
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const day = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Day' });

describe('the calls of a day', () => {
  test('are listed with errors, the slowest and the last success', async () => {
    render(<EndpointActivity />);
    await screen.findByRole('table', { name: 'Calls to other servers' });
    expect(rows()).toEqual([
      ['Method', 'Endpoint', 'Count', 'Errors', 'Slowest', 'Last success'],
      ['POST', 'tradingview/australia/scan', '1,234', '2 HTTP 429', '12.4 s', '12:00:00'],
      ['GET', 'asx/markets/announcements', '3', '0', '95 ms', '–'],
    ]);
    expect([...day().options].map(({ text }) => text)).toEqual([
      'Friday 20 November 2026',
      'Thursday 19 November 2026',
    ]);
    expect(await findings(document.body)).toEqual([]);
  });

  test('are read of the bare specified form', async () => {
    server.answers[METRICS] = { body: SPECIFIED_STATE_ANSWERS[METRICS] };
    render(<EndpointActivity />);
    await screen.findByRole('table', { name: 'Calls to other servers' });
    expect(rows()[1]).toEqual(['POST', 'tradingview/australia/scan', '1,234', '–', '–', '–']);
    expect(day().value).toBe('2026-11-20');
  });

  test('can be those of another day', async () => {
    render(<EndpointActivity />);
    await screen.findByRole('table', { name: 'Calls to other servers' });
    const before = { metrics: [], date: '2026-11-19', days: ['2026-11-20', '2026-11-19'] };
    server.answers[METRICS] = { body: before };
    await userEvent.selectOptions(day(), '2026-11-19');
    await screen.findByText('No calls to other servers on this day.');
    expect(screen.getByText('Thursday 19 November 2026', { selector: 'p' })).toBeTruthy();
    server.answers[METRICS] = { body: OWN_STATE_ANSWERS[METRICS] };
    await userEvent.selectOptions(day(), '2026-11-20');
    await screen.findByRole('table', { name: 'Calls to other servers' });
  });

  test('that can not be loaded say so, with the server’s sentence or their own, and a Retry', async () => {
    server.answers[METRICS] = { status: 500, body: {} };
    render(<EndpointActivity />);
    expect(screen.getByRole('status', { name: 'Loading calls to other servers…' })).toBeTruthy();
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load external metrics');
    expect(day().disabled).toBe(true);
    server.answers[METRICS] = { status: 500, body: { error: 'The database is busy.' } };
    await press('Retry');
    await screen.findByText('The database is busy.');
    server.answers[METRICS] = { body: OWN_STATE_ANSWERS[METRICS] };
    await press('Retry');
    await screen.findByRole('table', { name: 'Calls to other servers' });
  });
});
