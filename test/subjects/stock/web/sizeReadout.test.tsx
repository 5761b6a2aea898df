import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ChartData } from '../../../../src/market/bars/rules/chart.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import type { Stock } from '../../../../src/market/rules/stock.ts';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { chooseSize, sizeChoices } from '../../../../src/subjects/calls/web/shared/size/sizeChoices.ts';
import { ChartOptionsButton } from '../../../../src/subjects/stock/web/shared/chart/options/ChartOptionsButton.tsx';
import { PriceChart } from '../../../../src/subjects/stock/web/shared/chart/PriceChart.tsx';
import { useSizeReadout } from '../../../../src/subjects/stock/web/shared/chart/size/useSizeReadout.tsx';
import { tokenOf } from '../../../support/alertWindow.ts';
import { findings } from '../../../support/axe.ts';
import { barsOf } from '../../../support/chartBars.ts';
import { fakeDrawing } from '../../../support/fakeDrawing.ts';
import { aStock } from '../../../support/aStock.ts';

const TEN = fromSydney('2026-01-20', 10, 0);
const DATA: ChartData = {
  tf: '1',
  bars: barsOf(TEN, 60_000, [46.2, 46.1, 46.25]),
  unknown: [],
  knownSince: null,
};

let fake: ReturnType<typeof fakeDrawing>;
/** Another one for each test: what was read of one stays read. */
let user = 900;
beforeEach(() => {
  fake = fakeDrawing();
  user += 1;
  act(() => startSession({ accessToken: tokenOf(user), accessLevel: 1 }));
});
afterEach(() => {
  cleanup();
  endSession();
  localStorage.clear();
});

function Chart({ stock }: { stock: Stock }) {
  const readout = useSizeReadout(stock);
  return (
    <PriceChart
      label="BHP, 1 minute"
      data={DATA}
      load={fake.load}
      alert={{ current: 46.25, ask: () => undefined }}
      {...(readout && { readout })}
    />
  );
}
async function show() {
  const view = render(<Chart stock={aStock({ code: 'BHP', last: 46.25 })} />);
  await act(async () => undefined);
  return view;
}
const text = () => document.querySelector('.size-readout-text')?.textContent ?? null;

test('a chart tells no size until a risk is set, which its options do', async () => {
  await show();
  expect(text()).toBeNull();
  render(<ChartOptionsButton tf="1" taken={null} />);
  await userEvent.click(screen.getByRole('button', { name: 'Chart options' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Position size…' }));
  await userEvent.type(await screen.findByRole('spinbutton', { name: 'Risk ($)' }), '100');
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(sizeChoices.value.risk).toBe(100);
  await screen.findByRole('button', { name: 'Risk $100' });
  expect(text()).toBe('Point below 46.25 for a stop');
});

test('it is told for the price under the pointer, else where the price cursor was left', async () => {
  act(() => chooseSize({ risk: 100 }));
  const { container } = await show();
  await screen.findByRole('button', { name: 'Risk $100' });
  act(() => fake.events()?.onHover(45.2512));
  expect(text()).toBe('Stop 45.25: 100 shares, cost $4,625.00, loss $100.00');
  act(() => fake.events()?.onPick(45.75));
  act(() => fake.events()?.onHover(null));
  expect(text()).toBe('Stop 45.75: 200 shares, cost $9,250.00, loss $100.00');
  act(() => fake.events()?.onHover(46.5));
  expect(text()).toBe('Stop 46.50: the stop must be below the entry.');
  expect(await findings(container)).toEqual([]);
});

test('the keyboard points by a bar’s close and by the price cursor', async () => {
  act(() => chooseSize({ risk: 100 }));
  await show();
  await screen.findByRole('button', { name: 'Risk $100' });
  act(() => screen.getByRole('slider', { name: 'BHP, 1 minute: bars' }).focus());
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(text()).toBe('Stop 46.10: 666 shares, cost $30,802.50, loss $99.90');
  act(() => screen.getByRole('slider', { name: 'BHP, 1 minute: price of an alert' }).focus());
  await userEvent.keyboard('{Enter}{PageDown}');
  expect(text()).toBe('Stop 46.15: 1,000 shares, cost $46,250.00, loss $100.00');
});

test('the risk is changed where it is told, and taken away again', async () => {
  act(() => chooseSize({ risk: 100 }));
  await show();
  await userEvent.click(await screen.findByRole('button', { name: 'Risk $100' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Show no size' }));
  expect(text()).toBeNull();
});
