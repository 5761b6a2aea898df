import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  publishAlert,
  publishAlertConnection,
} from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import { lines, openTab, rows, rowWith, showTab } from '../../../support/alertLists.tsx';
import { findings } from '../../../support/axe.ts';
import { openWatchlist, type WatchlistScreen } from '../../../support/watchlistScreen.tsx';

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
});
afterEach(() => page.close());

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

/** Triggers of an alert, a minute apart. */
function keepTriggers(alertId: number, first: number, last: number): void {
  page.app.db.$client.run(
    `WITH RECURSIVE n(i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM n WHERE i < ${last})
     INSERT INTO alert_triggers
       (alert_id, symbol, triggered_at, market_at, seen, source, delay_minutes, deactivated, silent)
     SELECT ${alertId}, 'BHP', 60000 * i, 60000 * i, '[]', 'simulator', 0, 0, 0 FROM n`,
  );
}

describe('all triggers', () => {
  test('come on top as they fire, and a row leads to its alert', async () => {
    page.alert('BHP', 50, 'Breakout');
    const { id } = page.alert('CBA', 200);
    await openTab('Triggers');
    expect(screen.getByText('No alert has fired in the last 30 days.')).toBeTruthy();
    const fire = async (code: string, last: number, alertId: number) => {
      page.app.clock.advance(60_000);
      page.quote({ code, last, volume: last });
      const trigger = {
        of: 'stock' as const,
        key: `#${alertId}`,
        alertId,
        at: page.app.clock.now(),
        marketAt: page.app.clock.now(),
      };
      const told = { deactivated: true, silent: false, symbol: code, name: null, text: null };
      act(() => publishAlert({ type: 'triggered', trigger: { ...trigger, ...told } }));
      await waitFor(() => expect(rows().some(({ textContent }) => textContent?.includes(code))).toBe(true));
    };
    await fire('BHP', 51, 1);
    await fire('CBA', 201, id);
    await waitFor(() =>
      expect(lines().map((line) => line.split('|').slice(1).join('|'))).toEqual([
        'CBA CBA LIMITED||last 201.00 above 200.00|Browser only|Switched off',
        'BHP BHP LIMITED|Breakout|last 51.00 above 50.00|Browser only|Switched off',
      ]),
    );
    expect(await findings(document.body)).toEqual([]);
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search triggers' }), 'break');
    expect(rows().length).toBe(1);
    expect(screen.getByText('1 of 2 triggers')).toBeTruthy();
    await userEvent.click(rowWith('BHP').querySelectorAll('td')[1] as HTMLElement);
    const name = await screen.findByLabelText<HTMLInputElement>('Name (optional)');
    expect(name.value).toBe('Breakout');
  });

  test('that fired before the alert stream was there are read once it is', async () => {
    page.alert('BHP', 50);
    act(() => publishAlertConnection('connecting'));
    await openTab('Triggers');
    page.app.clock.advance(1000);
    page.quote({ code: 'BHP', last: 51, volume: 51 });
    expect(rows()).toEqual([]);
    act(() => publishAlertConnection('live'));
    await waitFor(() => expect(rows().length).toBe(1));
    act(() => publishAlertConnection('connecting'));
  });

  test('are loaded page after page', async () => {
    const { id } = page.alert('BHP', 50);
    keepTriggers(id, 1, 60);
    await openTab('Triggers');
    await screen.findByText('Newest 50 shown');
    page.fail(({ url }) => (url.includes('before=') ? Response.json({}, { status: 500 }) : null));
    await press('Load more');
    await screen.findByText(/^Failed to load triggers/);
    page.fail(null);
    await press('Load more');
    await screen.findByText('60 triggers');
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
    expect(screen.queryByText(/^Failed to load triggers/)).toBeNull();
  });

  test('that fire while older ones are loaded are on top of them all the same', async () => {
    const { id } = page.alert('BHP', 50);
    keepTriggers(id, 1, 60);
    await openTab('Triggers');
    await screen.findByText('Newest 50 shown');
    const held = Promise.withResolvers<void>();
    page.fail(({ url }) => (url.endsWith('/alerts/triggers') ? held.promise.then(() => null) : null));
    keepTriggers(id, 61, 61);
    const asked = page.asked.length;
    act(() => publishAlert({ type: 'changed', alertId: id, symbol: 'BHP' }));
    await waitFor(() => expect(page.asked.slice(asked).join()).toContain('/alerts/triggers'));
    await press('Load more');
    await screen.findByText('60 triggers');
    held.resolve();
    await screen.findByText('61 triggers');
  });

  test('are not offered by a server that keeps no list of them', async () => {
    page.fail(({ url }) =>
      url.endsWith('/alerts/triggers') ? Response.json({ error: 'Not found' }, { status: 404 }) : null,
    );
    showTab('Triggers');
    await screen.findByText('This server keeps no list of all triggers.');
  });
});
