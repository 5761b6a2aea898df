import { describe, expect, test } from 'bun:test';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ScanLists } from '../../../../src/subjects/conditions/rules/scanLists.ts';
import { findings } from '../../../support/axe.ts';
import {
  answers,
  click,
  closed,
  codes,
  editor,
  onStage,
  open,
  over,
  posted,
  scanOf,
  scanSelect,
} from '../../../support/customScanner.tsx';

onStage();

const MINERS = { id: 3, name: 'Miners', symbols: ['BBB'] };
const BANKS = { id: 4, name: 'Banks', symbols: ['CCC'] };
const onMiners: ScanLists = { side: 'on', id: 3, name: 'Miners' };

/** Shows a scan of what is over one, which looks at these lists. */
async function showScan(lists: ScanLists | null, known: readonly unknown[] = [MINERS, BANKS]): Promise<void> {
  answers()['GET /api/watchlists'] = { body: { lists: known } };
  answers()['GET /api/indicators/scans'] = {
    body: { scans: [{ ...scanOf(1, 'Over one', over(1)), lists }] },
  };
  answers()['PUT /api/indicators/scans/1'] = ({ body }) => ({
    body: { scan: { id: 1, createdAt: 1, updatedAt: 2, ...(body as object) } },
  });
  await open();
  await userEvent.selectOptions(scanSelect(), 'Over one');
}
const words = () => document.querySelector('.scan-words')?.textContent;
const inEditor = async () => within(await editor());

describe('a scan by lists', () => {
  test('leaves of its matches those on the list, or past all lists, and says so', async () => {
    await showScan(onMiners);
    await waitFor(() => expect(codes()).toEqual(['BBB']));
    expect(words()).toStartWith('Only on my list “Miners”: ');
    expect(screen.getByRole('toolbar', { name: 'Saved scans' }).textContent).toContain('1 of 3 match');
  });

  test('past the lists finds what stands on none', async () => {
    await showScan({ side: 'off', id: 4, name: 'Banks' });
    await waitFor(() => expect(codes()).toEqual(['BBB']));
    expect(words()).toStartWith('Only not on my list “Banks”: ');
  });

  test('of a deleted list finds nothing, and says so', async () => {
    await showScan({ side: 'off', id: 9, name: 'Old' });
    await screen.findByText(/^This scan no longer works: Your list “Old” was deleted\./);
    expect(codes()).toEqual([]);
  });

  test('says that the lists could not be loaded, finds nothing meanwhile, and asks again', async () => {
    await showScan(onMiners);
    await waitFor(() => expect(codes()).toEqual(['BBB']));
    await userEvent.selectOptions(scanSelect(), 'All stocks');
    answers()['GET /api/watchlists'] = { status: 500, body: { error: 'The lists are away.' } };
    await userEvent.selectOptions(scanSelect(), 'Over one');
    await screen.findByText('The lists are away.');
    answers()['GET /api/watchlists'] = { body: { lists: [{ ...MINERS, symbols: ['CCC'] }] } };
    await click('Retry');
    await waitFor(() => expect(codes()).toEqual(['CCC']));
  });
});

describe('in the editor', () => {
  test('a side and a list are chosen, are seen in the preview, and are sent', async () => {
    await showScan(null);
    await click('Edit');
    const dialog = await inEditor();
    const count = () => dialog.getByRole('region', { name: 'What the scan finds now' }).textContent;
    expect(dialog.queryByLabelText('Lists')).toBeNull();
    expect(count()).toContain('2 of 3 match');
    await userEvent.selectOptions(dialog.getByLabelText('Looks at'), 'On my lists');
    await waitFor(() => expect(count()).toContain('2 of 3 match'));
    await userEvent.selectOptions(dialog.getByLabelText('Lists'), 'Banks');
    await waitFor(() => expect(count()).toContain('1 of 3 match'));
    expect(await findings(document.body)).toEqual([]);
    await click('Save');
    await closed();
    expect(posted('/api/indicators/scans/1')).toMatchObject([
      { body: { lists: { side: 'on', id: 4, name: 'Banks' } } },
    ]);
    expect(codes()).toEqual(['CCC']);
  });

  test('all stocks takes the lists away, and a deleted list stands there until another is chosen', async () => {
    await showScan({ side: 'on', id: 9, name: 'Old' });
    await click('Edit');
    const dialog = await inEditor();
    const lists = () => dialog.getByLabelText<HTMLSelectElement>('Lists');
    await waitFor(() => expect(lists().selectedOptions[0]?.text).toBe('Old (deleted)'));
    await userEvent.selectOptions(lists(), 'All my lists');
    expect([...lists().options].map(({ text }) => text)).toEqual(['All my lists', 'Miners', 'Banks']);
    await userEvent.selectOptions(dialog.getByLabelText('Looks at'), 'All stocks');
    await click('Save');
    await closed();
    expect(posted('/api/indicators/scans/1')).toMatchObject([{ body: { lists: null } }]);
    expect(codes()).toEqual(['BBB', 'CCC']);
  });
});
