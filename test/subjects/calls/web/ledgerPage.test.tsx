import { describe, afterEach, beforeEach, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { CallsScreen } from '../../../../src/subjects/calls/web/CallsScreen.tsx';
import { resetCalls } from '../../../../src/subjects/calls/web/state.ts';
import { goTo } from '../../../../web/router/navigate.ts';
import { screenTitle } from '../../../../web/router/screenTitle.ts';
import { type AppInPage, listed, openAppInPage } from '../../../support/appInPage.ts';
import { findings } from '../../../support/axe.ts';
import { giveLayout } from '../../../support/layout.ts';
import { checkAtOnce } from '../../../../src/subjects/calls/web/ledger/verify/checkAtOnce.ts';
import { createChecker } from '../../../../src/subjects/calls/web/ledger/verify/checker.ts';
import { sha256 } from '../../../../src/subjects/calls/server/ledger/ledger.ts';
import { madeLedger } from '../../../support/ledgerStage.ts';

let page: AppInPage;
let removeLayout: () => void;

beforeEach(() => {
  removeLayout = giveLayout();
  page = openAppInPage();
  page.quote(listed('BHP', 40));
});
afterEach(() => {
  cleanup();
  goTo('/calls');
  page.close();
  resetCalls();
  removeLayout();
});

const BOUGHT = {
  ...{ symbol: 'BHP', callType: 'bought', entryPrice: 40, targetPrice: 44, stopLossType: 'HARD' },
  ...{ stopLoss: 38, rationale: 'Iron ore' },
};

async function post(times: number): Promise<void> {
  const user = await page.app.addUser('Anna Bee');
  for (let time = 0; time < times; time += 1) page.app.parts.calls.service.submit(user, BOUGHT);
}
const show = (path: string): void => {
  act(() => goTo(path));
  render(<CallsScreen />);
};
const headOf = () => page.app.parts.calls.service.ledger.head() ?? { number: 0, hash: '' };
const rewrite = (sql: string): void => void page.app.db.$client.run(sql);

describe('the page of the ledger', () => {
  test('goes through the chain, says in a sentence that it fits, and shows the lines in words', async () => {
    await post(2);
    page.quote(listed('BHP', 45));
    show('/calls/ledger');
    await screen.findByText('All 6 lines fit together, and all 4 names and texts told beside them.');
    expect(screenTitle.value).toBe('Ledger of calls');
    expect(screen.getByText(headOf().hash)).toBeTruthy();
    const table = within(await screen.findByRole('grid', { name: 'Newest lines' }));
    expect((await table.findAllByText(/^Target reached at 45/)).length).toBe(2);
    await userEvent.click(table.getByRole('button', { name: 'Details of line 1' }));
    await table.findByText('Rationale: Iron ore');
    expect(table.getByText('Submitter: Anna Bee')).toBeTruthy();
    expect(table.getByRole('link', { name: 'Open this call as a page' }).getAttribute('href')).toStartWith(
      '#/calls/',
    );
    expect(await findings(document.body)).toEqual([]);
  });

  test('verified again from the keyboard keeps the focus, what was typed, and the lines', async () => {
    await post(1);
    show('/calls/ledger');
    const again = await screen.findByRole('button', { name: 'Verify again' });
    await userEvent.type(screen.getByRole('textbox', { name: 'Line' }), '7');
    await act(async () => page.quote(listed('BHP', 45)));
    again.focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByText(/^All \d lines fit together/);
    await screen.findByRole('button', { name: 'Verify again' });
    expect(document.activeElement).toBe(again);
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Line' }).value).toBe('7');
    await screen.findAllByText(/^Target reached at 45/);
  });

  test('shows the first line that does not fit, with what had to be there and what is', async () => {
    await post(3);
    rewrite(`UPDATE call_ledger SET line = replace(line, '"target":44', '"target":43') WHERE number = 2`);
    show('/calls/ledger');
    await screen.findByText('The chain breaks at line 2: its text has another hash than the one beside it.');
    const expected = screen.getByText('Expected').nextElementSibling?.textContent;
    const found = screen.getByText('There is').nextElementSibling?.textContent;
    expect(expected).toMatch(/^[0-9a-f]{64}$/);
    expect(found).toMatch(/^[0-9a-f]{64}$/);
    expect(found).not.toBe(expected as string);
    expect(screen.getAllByText(/target 43/).length).toBeGreaterThan(0);
    expect(await findings(document.body)).toEqual([]);
  });

  test('that could not be loaded can be tried again, from where it stopped', async () => {
    page.fail(() => 'offline');
    show('/calls/ledger');
    await screen.findByRole('button', { name: 'Retry' });
    await post(1);
    let asked = 0;
    page.fail(() => ((asked += 1) === 2 ? Response.json({ error: 'Too often.' }, { status: 429 }) : null));
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(asked).toBeGreaterThan(1));
    await screen.findByText(/Too often\./);
    page.fail(null);
    for (const button of screen.getAllByRole('button', { name: 'Retry' })) await userEvent.click(button);
    await screen.findByText(/The one line fits/);
  });
});

describe('a head that was noted', () => {
  const typed = async (number: string, hash: string): Promise<void> => {
    const line = screen.getByRole('textbox', { name: 'Line' });
    const box = screen.getByRole('textbox', { name: 'Hash' });
    await userEvent.clear(line);
    await userEvent.clear(box);
    if (number !== '') await userEvent.type(line, number);
    await userEvent.click(box);
    await userEvent.paste(hash);
    await userEvent.click(screen.getByRole('button', { name: 'Compare' }));
  };

  test('is in today’s chain, or is not, or is beyond its end; pasted whole it is put into both boxes', async () => {
    await post(2);
    const noted = headOf();
    await act(async () => page.quote(listed('BHP', 41)));
    show('/calls/ledger');
    await screen.findByText(/lines fit together/);
    await typed('', `${noted.number} ${noted.hash}`);
    await screen.findByText(/^Today’s chain contains it/);
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Line' }).value).toBe('2');
    await typed('1', noted.hash);
    await screen.findByText(/^Today’s chain does not contain it/);
    await typed('900', noted.hash.slice(0, 12));
    await screen.findByText(/Today’s chain ends at line \d+, before the line that you noted/);
  });
});

const ROWS = madeLedger(40);

test('where there is no worker, lines are gone through in the page, with the same end', async () => {
  const checker = createChecker();
  const from = { number: 20, hash: ROWS[19]?.hash ?? '' };
  const broken = ROWS.slice(20).with(3, { line: '{}', hash: sha256('{}'), openings: [] });
  const checked = await checker.check({ rows: broken, from }, new AbortController().signal);
  expect(checked).toMatchObject({ fault: { number: 24, of: 'number' } });
  expect(checked).toEqual(checkAtOnce({ rows: broken, from }, sha256));
});
