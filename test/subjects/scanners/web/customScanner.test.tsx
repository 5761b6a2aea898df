import { describe, expect, test } from 'bun:test';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { findings } from '../../../support/axe.ts';
import { CATALOGS } from '../../../support/catalogs.ts';
import {
  answers,
  button,
  click,
  closed,
  codes,
  editor,
  EMA,
  headers,
  last,
  market,
  onStage,
  open,
  over,
  posted,
  priced,
  scanOf,
  scanSelect,
  show,
} from '../../../support/customScanner.tsx';

onStage();

describe('saved scans', () => {
  test('filter the table, at once, and are remembered in this browser', async () => {
    await open();
    expect(codes()).toEqual(['AAA', 'BBB', 'CCC']);
    await userEvent.selectOptions(scanSelect(), 'Over two');
    expect(codes()).toEqual(['CCC']);
    expect(screen.getByRole('toolbar', { name: 'Saved scans' }).textContent).toContain('1 of 3 match');
    market(priced('AAA', 5), priced('BBB', 2), priced('CCC', 3));
    expect(screen.getByRole('toolbar', { name: 'Saved scans' }).textContent).toContain('2 of 3 match');
    expect(localStorage.getItem('bellbird.customScan')).toBe('1');
    await userEvent.selectOptions(scanSelect(), 'All stocks');
    expect(codes()).toEqual(['AAA', 'BBB', 'CCC']);
    expect(await findings(document.body)).toEqual([]);
  });

  test('are duplicated under a free name, and deleted after a question', async () => {
    await open();
    await userEvent.selectOptions(scanSelect(), 'Over two');
    await click('Duplicate');
    await waitFor(() => expect(scanSelect().selectedOptions[0]?.text).toBe('Over two copy'));
    await userEvent.selectOptions(scanSelect(), 'Over two');
    await click('Delete');
    expect((await editor()).textContent).toContain('Delete scan “Over two”?');
    await userEvent.click(within(await editor()).getByRole('button', { name: 'Cancel' }));
    await closed();
    expect(posted('/api/indicators/scans/1')).toEqual([]);
    await click('Delete');
    await userEvent.click(within(await editor()).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(scanSelect().selectedOptions[0]?.text).toBe('All stocks'));
    expect([...scanSelect().options].map(({ text }) => text)).toEqual(['All stocks', 'Over two copy']);
  });

  test('that read something lost say so', async () => {
    const problem = 'Condition 1: The indicator "old" is not in the catalog.';
    answers()['GET /api/indicators/scans'] = {
      body: { scans: [{ ...scanOf(1, 'Old', over(2)), problem }] },
    };
    await open();
    await userEvent.selectOptions(scanSelect(), 'Old');
    expect(screen.getByText(/This scan no longer works/).textContent).toContain(problem);
  });

  test('that can not be loaded can be asked for again', async () => {
    answers()['GET /api/indicators/prefs'] = { status: 500, body: {} };
    show();
    await screen.findByText('Failed to load indicators');
    expect(button('New scan').disabled).toBe(true);
    answers()['GET /api/indicators/prefs'] = { body: { prefs: { refs: [] } } };
    await click('Retry');
    await waitFor(() => expect(button('New scan').disabled).toBe(false));
    expect(screen.queryByText('Failed to load indicators') === null).toBe(true);
  });
});

test('a catalog that can not be loaded is said, and asked for again', async () => {
  const answer = CATALOGS['GET /api/indicators/catalog/tv'];
  answers()['GET /api/indicators/catalog/tv'] = { status: 500, body: {} };
  answers()['GET /api/indicators/prefs'] = { body: { prefs: { refs: [EMA] } } };
  await open();
  await screen.findByText('Failed to load indicator catalog');
  answers()['GET /api/indicators/catalog/tv'] = answer;
  await click('Retry');
  await waitFor(() => expect(screen.queryByText('Failed to load indicator catalog') === null).toBe(true));
});

describe('the editor', () => {
  const start = async () => {
    await open();
    await click('New scan');
    await editor();
  };
  const pickEma = async (side: 'Value' | 'Compared with') => {
    await userEvent.selectOptions(screen.getByLabelText(side), 'Add indicator…');
    await userEvent.type(await screen.findByRole('searchbox'), 'ema{Enter}');
    await userEvent.selectOptions(await screen.findByLabelText('Timeframe'), '1h');
    const [, parameters] = screen.getAllByRole('dialog', { hidden: true });
    if (!parameters) throw new Error('The parameter modal is not there.');
    await userEvent.click(within(parameters).getByRole('button', { name: 'Save' }));
  };

  test('builds a scan, says what is missing, saves it and filters by it', async () => {
    await start();
    expect(await findings(await editor())).toEqual([]);
    await click('Save');
    expect(screen.getByRole('alert').textContent).toBe('Give the scan a name.');
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
    await userEvent.type(screen.getByLabelText('Name'), 'At most two');
    await click('Save');
    expect(screen.getByRole('alert').textContent).toBe('Complete the marked conditions.');
    expect(document.activeElement).toBe(screen.getByLabelText('Compared with'));
    await userEvent.selectOptions(screen.getByLabelText('Compared with'), 'Number');
    await userEvent.selectOptions(screen.getByLabelText('Comparison'), '≤ at or below');
    await userEvent.type(screen.getByLabelText('Number'), '2');
    expect(screen.getByText('2 of 3 match')).toBeDefined();
    expect(screen.getByText('2 stocks meet this alone')).toBeDefined();
    await click('Save');
    await closed();
    const logic = { op: 'AND', conditions: [{ lhs: last, op: '<=', rhs: { type: 'number', value: 2 } }] };
    expect(posted()).toEqual([{ method: 'POST', body: { name: 'At most two', logic, lists: null } }]);
    expect(codes()).toEqual(['AAA', 'BBB']);
    expect(scanSelect().selectedOptions[0]?.text).toBe('At most two');
  });

  test('counts anew with every tick, and shows the values that conditions read', async () => {
    await start();
    await userEvent.selectOptions(screen.getByLabelText('Compared with'), 'Open');
    const preview = () => screen.getByRole('region', { name: 'What the scan finds now' });
    expect(
      within(preview())
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['Code', 'Last', 'Open']);
    expect(preview().textContent).toContain('3 of 3 match');
    market(priced('AAA', 0.4), priced('BBB', 2), priced('CCC', 3));
    expect(preview().textContent).toContain('2 of 3 match');
    market(priced('AAA', 0.4), priced('BBB', 0.4), priced('CCC', 0.4));
    expect(preview().textContent).toContain('0 of 3 match');
    expect(preview().textContent).toContain('The most traded stocks, to compare');
    expect(within(preview()).getAllByRole('rowheader')).toHaveLength(3);
  });

  test('asks for the values of a new indicator, waits for them, and gives them back', async () => {
    await start();
    await pickEma('Compared with');
    await waitFor(() =>
      expect(posted('/api/indicators/prefs')).toEqual([{ method: 'POST', body: { refs: [EMA] } }]),
    );
    expect((await editor()).textContent).toContain('EMA(20) 1h: waiting for values');
    market(priced('AAA', 1, 0.5), priced('BBB', 2, 9));
    expect((await editor()).textContent).toContain('1 of 2 match');
    expect((await editor()).textContent).not.toContain('waiting');
    await userEvent.type(screen.getByLabelText('Name'), 'Over its average');
    await click('Save');
    await closed();
    await waitFor(() =>
      expect(posted('/api/indicators/prefs').at(-1)).toEqual({ method: 'POST', body: { refs: [] } }),
    );
    // What the active scan reads stands beside the table's own columns.
    expect(headers()).toEqual(['Name', 'Price', 'Volume', 'Value', 'EMA(20) 1h']);
    expect(codes()).toEqual(['AAA']);
  });

  test('opens a saved scan, reorders, removes and renames', async () => {
    const three = scanOf(1, 'Three', over(1), over(2), over(3));
    answers()['GET /api/indicators/scans'] = { body: { scans: [three] } };
    await open();
    await userEvent.selectOptions(scanSelect(), 'Three');
    await click('Edit');
    expect((await editor()).textContent).toContain('Edit scan');
    await click('Move Condition 1 down');
    await click('Remove Condition 3');
    expect(button('Move Condition 1 up').disabled).toBe(true);
    await userEvent.clear(screen.getByLabelText('Name'));
    await userEvent.type(screen.getByLabelText('Name'), 'Two');
    await click('Save');
    await closed();
    expect(posted('/api/indicators/scans/1')).toEqual([
      {
        method: 'PUT',
        body: { name: 'Two', logic: { op: 'AND', conditions: [over(2), over(1)] }, lists: null },
      },
    ]);
    expect(scanSelect().selectedOptions[0]?.text).toBe('Two');
  });

  test('says what the server says, and stays', async () => {
    await start();
    const error = 'You have a scan named "Over two" already. Choose another name.';
    answers()['POST /api/indicators/scans'] = { status: 409, body: { error } };
    await userEvent.type(screen.getByLabelText('Name'), 'Over two');
    await userEvent.selectOptions(screen.getByLabelText('Compared with'), 'Open');
    await click('Save');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(error));
  });

  test('asks before changes are lost', async () => {
    await start();
    await click('Remove Condition 1');
    await userEvent.keyboard('{Escape}');
    expect(screen.getByText('The changes are not saved.')).toBeDefined();
    await click('Keep editing');
    await click('Cancel');
    await click('Discard');
    await closed();
    expect(posted()).toEqual([]);
  });

  test('an untouched one closes at once, and the focus is back where it came from', async () => {
    await start();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name')));
    await click('Cancel');
    await closed();
    await waitFor(() => expect(document.activeElement).toBe(button('New scan')));
  });

  test('the picker gives the focus back to the side that it was opened for', async () => {
    await start();
    const side = screen.getByLabelText('Compared with');
    await userEvent.selectOptions(side, 'Add indicator…');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('searchbox')));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(side));
    await pickEma('Compared with');
    await waitFor(() => expect(document.activeElement).toBe(side));
    await click('Cancel');
    await click('Discard');
    await closed();
  });

  test('needs a condition', async () => {
    await start();
    await userEvent.type(screen.getByLabelText('Name'), 'Nothing');
    await click('Remove Condition 1');
    await click('Save');
    expect(screen.getByRole('alert').textContent).toBe('Add at least one condition.');
  });
});

describe('chosen indicators', () => {
  const choose = async () => {
    await open();
    await click('Indicators');
    await userEvent.click(within(await editor()).getByRole('button', { name: 'Add Indicator' }));
    await userEvent.type(await screen.findByRole('searchbox'), 'ema{Enter}');
    await userEvent.selectOptions(await screen.findByLabelText('Timeframe'), '1h');
    await click('Save');
  };

  test('are kept and shown as columns, and can be removed', async () => {
    await choose();
    await waitFor(() =>
      expect(posted('/api/indicators/prefs')).toEqual([{ method: 'POST', body: { refs: [EMA] } }]),
    );
    expect((await editor()).textContent).toContain('EMA(20) 1hwaiting for values');
    expect(headers().at(-1)).toBe('EMA(20) 1h');
    await click('Remove EMA(20) 1h');
    await click('Done');
    await closed();
    expect(headers()).toEqual(['Name', 'Price', 'Volume', 'Value']);
    expect(button('Indicators')).toBeDefined();
  });

  test('that could not be kept are taken back', async () => {
    answers()['POST /api/indicators/prefs'] = { status: 500, body: {} };
    await choose();
    await waitFor(() =>
      expect(screen.getAllByText('Failed to save indicator selection').length).toBeGreaterThan(0),
    );
    expect(headers()).toEqual(['Name', 'Price', 'Volume', 'Value']);
  });
});
