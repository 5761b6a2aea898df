import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { WatchedScan } from '#subjects/alerts/answers/scanAlert.ts';
import { forgetScanAlert } from '#subjects/alerts/web/shared/showAlert.ts';
import { scanAlertsChanged } from '#subjects/alerts/web/shared/alertStream.ts';
import { startSession } from '#subjects/accounts/web/shared/session/session.ts';
import type { ScannerFilters } from '#market/scanners/rules/filters.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { tokenOf } from '#support/alertWindow.ts';
import { aPreOpenStock, aStock } from '#support/aStock.ts';
import { results } from '#support/axe.ts';
import { pageApi } from '#support/fakeApi.ts';
import { layOutEachTest } from '#support/layout.ts';
import { remember, screenOf } from '#support/scannerScreen.tsx';

const LISTS = [{ id: 2, name: 'Miners', symbols: ['AAA'] }];
const SMALL: WatchedScan = { type: 'scanner', key: 'intraDaySmall' };
const FILTERED: WatchedScan = { ...SMALL, filters: { minValue: 20_000, sensitiveOnly: true } };

const server = pageApi(() => ({
  'GET /api/watchlists': { body: { lists: LISTS } },
  'GET /api/settings/linked-chats': { body: [] },
  'GET /api/devices': { body: { devices: [] } },
  'GET /api/indicators/scans': { body: { scans: [] } },
  'GET /api/scan-alerts': () => ({ body: { scan_alerts: kept, limit: 10 } }),
  'POST /api/scan-alerts/rehearse': { body: { fired: 40, stocks: 9, days: 20, busiestDay: 5 } },
  'POST /api/scan-alerts': ({ body }) => {
    kept.push({ id: 7 + kept.length, active: true, version: 1, ...(body as object) });
    return { body: kept.at(-1) };
  },
}));
layOutEachTest();
let kept: object[];
beforeEach(() => {
  kept = [];
  startSession({ accessToken: tokenOf(1), accessLevel: 1 });
});
afterEach(() => {
  forgetScanAlert();
});

const show = (scanner: ScannerKey, filters: Partial<ScannerFilters>) => {
  remember(scanner, { minValue: 5000, ...filters });
  return render(
    screenOf(scanner, [
      aStock({ code: 'AAA', name: 'Gold Mines', value: 90_000, sensitiveAnnouncements: 1 }),
      aStock({ code: 'BBB', value: 30_000 }),
      aPreOpenStock({ code: 'PRE' }),
    ]),
  );
};
const bell = (name: string) => screen.findByRole('button', { name });
const press = async (name: string) => userEvent.click(await bell(name));
const dialog = async () => within(await screen.findByRole('dialog'));
const posted = () =>
  server
    .to('/api/scan-alerts')
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => (body as { scan: WatchedScan }).scan);

describe('an alert made on a scanner', () => {
  test('watches the view on screen with its prices, gaps and lists', async () => {
    show('preMarket', { priceGroup: 'oneOrOver', gaps: 'down', lists: [2] });
    await screen.findByText('Miners', { selector: '.is-on' });
    await press('Alert me on this scan');
    await userEvent.click((await dialog()).getByRole('button', { name: 'Add alert' }));
    const filters = {
      minValue: 5000,
      priceGroup: 'oneOrOver',
      gaps: 'down',
      lists: [{ id: 2, name: 'Miners' }],
    };
    await waitFor(() =>
      expect(posted()).toEqual([{ type: 'scanner', key: 'preMarket', filters } as WatchedScan]),
    );
  });

  test('includes the text filter above the rows, and counts the rows', async () => {
    show('intraDaySmall', {});
    await userEvent.type(screen.getByLabelText('Filter by code or name'), 'gold');
    await waitFor(() => expect(screen.getByText('1 stock')).toBeDefined());
    await press('Alert me on this scan');
    const shown = await dialog();
    expect(shown.getByText('Code starts with, or name contains, “gold”')).toBeDefined();
    expect(shown.getByText('1 stock matches now.')).toBeDefined();
    fireEvent.change(shown.getByLabelText('Up on the day by at least (%)'), { target: { value: '90' } });
    expect(shown.getByText('0 stocks match now.')).toBeDefined();
  });
});

describe('the bell of a scanner', () => {
  const alertOn = (scan: WatchedScan, more: object = {}) => ({
    id: 3,
    scan,
    active: true,
    version: 1,
    ...more,
  });

  test('shows an alert on this same view, whatever other conditions it has', async () => {
    const filters = { ...FILTERED.filters, minValue: 20_000, minChange: 5 };
    kept = [alertOn(SMALL, { id: 1 }), alertOn({ ...SMALL, filters }, { id: 3 })];
    show('intraDaySmall', { minValue: 20_000, sensitiveOnly: true });
    expect((await bell('Alert on this scan: on')).dataset['alert']).toBe('on');
    expect(await results(document.body)).toEqual([]);
  });

  test('shows that an alert is off or not checked, and ignores alerts on other views', async () => {
    kept = [alertOn(FILTERED, { active: false })];
    const shown = show('intraDaySmall', { minValue: 20_000, sensitiveOnly: true });
    await bell('Alert on this scan: off');
    kept = [alertOn(FILTERED, { problem: 'Your list “Ore” was deleted.' })];
    scanAlertsChanged();
    await bell('Alert on this scan: not checked');
    shown.unmount();
    show('intraDaySmall', { minValue: 30_000 });
    await waitFor(() => expect(server.to('/api/scan-alerts')).toHaveLength(3));
    await bell('Alert me on this scan');
  });
});
