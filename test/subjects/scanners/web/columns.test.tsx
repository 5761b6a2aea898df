import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ColumnEntry, defaultEntries, normaliseColumns } from '#market/scanners/rules/columnList.ts';
import { ColumnsPanel } from '#subjects/scanners/web/shared/columns/ColumnsPanel.tsx';
import { forgetCatalogs } from '#web/shared/indicators/catalog.ts';
import { navigate } from '#web/router/navigate.ts';
import { startRouter } from '#web/router/router.ts';
import { loadSettings, patchSettings, settings, startSettings } from '#web/shared/settings.ts';
import { results } from '#support/axe.ts';
import { CATALOGS } from '#support/catalogs.ts';
import { MAGGIE, pageApi } from '#support/fakeApi.ts';
import { NO_CHATS } from '#support/linkedChats.ts';

type Sent = { tableKey: 'intraDaySmall'; columns: ColumnEntry[] };
const SAVE = 'POST /api/settings/table-columns';
const server = pageApi(() => ({ 'GET /api/settings': { body: MAGGIE }, ...CATALOGS, ...NO_CHATS }), 2);
let stops: (() => void)[];

beforeEach(async () => {
  server.answers[SAVE] = ({ body }) => {
    const { tableKey, columns } = body as Sent;
    const { catalog } = CATALOGS['GET /api/indicators/catalog/tv'].body;
    const { columns: saved } = normaliseColumns(tableKey, columns, catalog);
    return { body: { columnPreferences: { [tableKey]: saved }, dropped: {} } };
  };
  forgetCatalogs();
  stops = [startSettings()];
  await loadSettings();
});
afterEach(() => {
  for (const stop of stops) stop();
});

const ADDRESS = '/settings/columns/intra-day-small';
const open = async () => {
  navigate(ADDRESS);
  render(<ColumnsPanel />);
  await waitFor(() =>
    expect(within(table()).getByRole<HTMLButtonElement>('button', { name: 'Add Indicator' }).disabled).toBe(
      false,
    ),
  );
};
const table = (name = 'Intra-day < $1') => screen.getByRole('region', { name });
const button = (name: string, inside = table()) =>
  within(inside).getByRole<HTMLButtonElement>('button', { name });
const chips = (inside = table()) =>
  [...inside.querySelectorAll('.chip')].map((chip) => chip.querySelector('.chip-name')?.textContent ?? '');
const buttons = () => ['Save', 'Reset To Saved', 'Restore Default'].map((name) => !button(name).disabled);
const click = (element: Element) => userEvent.click(element);
const dialog = () => screen.findByRole('dialog');
const sent = () => server.to('/api/settings/table-columns').map(({ body }) => body as Sent);

describe('the configurator', () => {
  test('has the five tables with their columns, locks on the mandatory ones and no crosses', async () => {
    await open();
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Pre-open (gap ups)',
      'Intra-day < $1',
      'Intra-day ≥ $1',
      'Intra-day Large Cap',
      'Custom Scanner',
    ]);
    expect(chips()).toEqual(defaultEntries('intraDaySmall').map(({ label }) => label));
    expect(within(table()).getAllByRole('img', { name: 'always shown' })).toHaveLength(2);
    expect(within(table()).queryAllByRole('button', { name: /^Remove/ })).toHaveLength(0);
    expect(button('Market Cap').getAttribute('aria-pressed')).toBe('false');
    expect(await results(document.body)).toEqual([]);
  });

  test('names the removed columns of a saved layout until it is dismissed', async () => {
    patchSettings({
      droppedColumns: { intraDaySmall: [{ id: 'x', reason: '"old" is not in the catalog.' }] },
    });
    await open();
    expect(table().textContent).toContain('A saved column was left out: "old" is not in the catalog.');
    await click(button('Dismiss'));
    expect(table().textContent).not.toContain('left out');
  });

  test('enables its buttons only when they can act, and keeps the focus near them', async () => {
    await open();
    expect(buttons()).toEqual([false, false, false]);
    await click(button('Pips'));
    expect(button('Pips').getAttribute('aria-pressed')).toBe('false');
    expect(buttons()).toEqual([true, true, true]);
    await click(button('Reset To Saved'));
    expect(buttons()).toEqual([false, false, false]);
    // A disabled button loses the focus, which stays next to it.
    const hasFocusThere = () =>
      document.activeElement?.getAttribute('aria-label') === 'Intra-day < $1 actions';
    expect(hasFocusThere()).toBe(true);
    await click(button('Pips'));
    await click(button('Save'));
    await waitFor(() => expect(buttons()).toEqual([false, false, true]));
    expect(hasFocusThere()).toBe(true);
    expect(sent()[0]?.tableKey).toBe('intraDaySmall');
    expect(settings.value?.columnPreferences.intraDaySmall?.find(({ id }) => id === 'pips')?.enabled).toBe(
      false,
    );
    await click(button('Restore Default'));
    expect(buttons()).toEqual([true, true, false]);
  });

  test('repeats no action while it saves', async () => {
    await open();
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    server.answers[SAVE] = async () => {
      await held;
      return { body: { columnPreferences: {}, dropped: {} } };
    };
    await click(button('Pips'));
    await click(button('Save'));
    expect(button('Saving…').disabled).toBe(true);
    expect(['Reset To Saved', 'Restore Default', 'Move Pips'].map((name) => button(name).disabled)).toEqual([
      true,
      true,
      true,
    ]);
    finish();
    await waitFor(() => expect(button('Save').disabled).toBe(true));
  });

  test('shows why it could not save, and keeps the changes', async () => {
    await open();
    server.answers[SAVE] = { status: 500, body: {} };
    await click(button('Pips'));
    await click(button('Save'));
    await waitFor(() =>
      expect(within(table()).getByRole('alert').textContent).toContain('Failed to save columns'),
    );
    expect(button('Pips').getAttribute('aria-pressed')).toBe('false');
    expect(buttons()).toEqual([true, true, true]);
    server.answers[SAVE] = { status: 400, body: { error: 'The indicator "x" is not in the catalog.' } };
    await click(button('Save'));
    await waitFor(() =>
      expect(within(table()).getByRole('alert').textContent).toContain('The indicator "x"'),
    );
    await click(button('Dismiss'));
    expect(within(table()).queryByRole('alert')).toBeNull();
    expect(buttons()).toEqual([true, true, true]);
  });
});

describe('choosing an indicator', () => {
  const search = () => screen.getByRole('searchbox');
  const groups = async () =>
    within(await dialog())
      .getAllByRole('heading', { level: 3 })
      .map((heading) => heading.textContent);

  test('adds one column per timeframe, and a cross removes it again', async () => {
    await open();
    await click(button('Add Indicator'));
    expect((await dialog()).textContent).toContain('Select Indicator or Field');
    expect(await groups()).toEqual(['Charting-platform indicators', 'Custom indicators', 'Broker fields']);
    await userEvent.type(search(), 'rsi{Enter}');
    const parameters = await dialog();
    expect(within(parameters).getByRole('heading', { name: 'Relative Strength Index' })).toBeDefined();
    expect(within(parameters).getByRole('option', { name: 'Select timeframe' })).toBeDefined();
    await userEvent.selectOptions(within(parameters).getByLabelText('Length'), '7');
    await userEvent.selectOptions(within(parameters).getByLabelText('Timeframe'), '1h');
    await userEvent.selectOptions(within(parameters).getByLabelText('Timeframe'), '1D');
    await userEvent.selectOptions(within(parameters).getByLabelText('Delay'), '1 bar ago');
    expect(await results(parameters)).toEqual([]);
    await click(button('Save', parameters));
    await waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
    expect(chips().slice(-2)).toEqual(['RSI(7) 1h, 1 bar ago', 'RSI(7) 1D, 1 bar ago']);
    await click(button('Save'));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]?.columns.at(-1)).toEqual({
      id: 'indicator:D:rsi_7',
      enabled: true,
      mandatory: false,
      type: 'indicator',
      label: 'RSI(7) 1D, 1 bar ago',
      valueKey: '1',
      indicator: { family: 'rsi', params: { length: '7' }, tf: 'D', key: 'rsi_7' },
    });
    await click(button('Remove RSI(7) 1h, 1 bar ago'));
    expect(chips()).not.toContain('RSI(7) 1h, 1 bar ago');
  });

  test('needs a catalog, and Retry loads it', async () => {
    server.answers['GET /api/indicators/catalog/tv'] = { status: 500, body: {} };
    server.answers['GET /api/indicators/catalog/custom'] = { status: 500, body: {} };
    navigate(ADDRESS);
    render(<ColumnsPanel />);
    await screen.findByText('Failed to load indicator catalog');
    expect(button('Add Indicator').disabled).toBe(true);
    Object.assign(server.answers, CATALOGS);
    await click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(button('Add Indicator').disabled).toBe(false));
    expect(screen.queryByText('Failed to load indicator catalog') === null).toBe(true);
  });
});

describe('unsaved changes', () => {
  const leave = async () => {
    await open();
    await click(button('Pips'));
    act(() => navigate('/calls'));
    return dialog();
  };
  beforeEach(() => {
    navigate(ADDRESS);
    stops.push(startRouter());
  });

  test('stay while another table is shown, whose tab leads back', async () => {
    await open();
    await click(button('Pips'));
    act(() => navigate('/settings/columns/custom-scanner'));
    expect(chips(table('Custom Scanner'))).toEqual(defaultEntries('custom').map(({ label }) => label));
    act(() => screen.getByRole('tab', { name: 'Intra-day < $1 · Not saved' }).click());
    await waitFor(() => expect(buttons()).toEqual([true, true, true]));
  });

  test('ask before leaving, and allow staying', async () => {
    const question = await leave();
    expect(question.textContent).toContain('The columns of Intra-day < $1 have changes that are not saved.');
    expect(window.location.hash).toBe(`#${ADDRESS}`);
    await click(button('Stay', question));
    await waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
    expect(window.location.hash).toBe(`#${ADDRESS}`);
    expect(buttons()).toEqual([true, true, true]);
  });

  test.each([
    ['dropped', 'Leave without saving', 0],
    ['saved', 'Save and leave', 1],
  ])('are %s on the way out, as chosen', async (_, name, saves) => {
    await click(button(name, await leave()));
    await waitFor(() => expect(window.location.hash).toBe('#/calls'));
    expect(sent()).toHaveLength(saves);
    act(() => navigate(ADDRESS));
    expect(buttons().slice(0, 2)).toEqual([false, false]);
  });

  test('keep the screen open if they cannot be saved', async () => {
    server.answers[SAVE] = 'offline';
    await click(button('Save and leave', await leave()));
    await waitFor(() => expect(within(table()).queryByRole('alert') === null).toBe(false));
    expect(window.location.hash).toBe(`#${ADDRESS}`);
    expect(buttons()).toEqual([true, true, true]);
  });

  test('ask before the window closes, only if there are any', async () => {
    await open();
    const closing = () => !fireEvent(window, new Event('beforeunload', { cancelable: true }));
    expect(closing()).toBe(false);
    await click(button('Pips'));
    expect(closing()).toBe(true);
  });
});
