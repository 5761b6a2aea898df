import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { PriceCrossing } from '../../../../src/subjects/alerts/rules/crossingAt.ts';
import type { ChartData } from '../../../../src/market/bars/rules/chart.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { PriceChart } from '../../../../src/subjects/stock/web/shared/chart/PriceChart.tsx';
import { findings } from '../../../support/axe.ts';
import { barsOf } from '../../../support/chartBars.ts';
import { fakeDrawing } from '../../../support/fakeDrawing.ts';

const TEN = fromSydney('2026-01-20', 10, 0);
const DATA: ChartData = {
  tf: '1',
  bars: barsOf(TEN, 60_000, [46.2, 46.3, 46.25]),
  unknown: [],
  knownSince: null,
};

let fake: ReturnType<typeof fakeDrawing>;
let asked: PriceCrossing[];
beforeEach(() => {
  fake = fakeDrawing();
  asked = [];
});
afterEach(cleanup);

async function show(current: number | null = 46.25) {
  const chart = (now: number | null, data: ChartData) => (
    <PriceChart
      label="BHP, 1 minute"
      data={data}
      load={fake.load}
      {...(now === null ? {} : { alert: { current: now, ask: (crossing) => asked.push(crossing) } })}
    />
  );
  const view = render(chart(current, DATA));
  await act(async () => undefined);
  return { ...view, again: (now: number | null, data = DATA) => view.rerender(chart(now, data)) };
}
const offer = () => screen.queryByRole('button', { name: /^Alert me: / })?.textContent ?? null;
const cursor = () => screen.getByRole('slider', { name: 'BHP, 1 minute: price of an alert' });
const marked = () => fake.told.filter((entry) => Array.isArray(entry) && entry[0] === 'mark');
const click = (price: number) => act(() => fake.events()?.onPick(price));

describe('an alert at a price that is pointed at', () => {
  test('is offered by a click, taken to the price step, and asked for only by its button', async () => {
    const { container } = await show();
    click(46.3049);
    expect(offer()).toBe('Alert me: crosses above 46.30');
    expect(marked()).toEqual([['mark', 46.3]]);
    click(46.1081);
    expect(offer()).toBe('Alert me: crosses below 46.11');
    expect(asked).toEqual([]);
    expect(await findings(container)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: /^Alert me: / }));
    expect(asked).toEqual([{ price: 46.11, op: 'crosses_below' }]);
  });

  test('waits for the other way once the price has passed it', async () => {
    const { again } = await show();
    click(46.3);
    again(46.35);
    expect(offer()).toBe('Alert me: crosses below 46.30');
  });

  test('is left by Escape, which leaves nothing else, and by its cross, after which keys go on in the chart', async () => {
    await show();
    click(46.3);
    await userEvent.keyboard('{Escape}');
    expect(offer()).toBeNull();
    expect(marked().at(-1)).toEqual(['mark', null]);
    click(46.3);
    await userEvent.tab();
    await userEvent.tab();
    await userEvent.keyboard('{Escape}');
    expect(offer()).toBeNull();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('BHP, 1 minute: bars');
    click(46.3);
    await userEvent.click(screen.getByRole('button', { name: 'Set no alert here' }));
    expect(offer()).toBeNull();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('BHP, 1 minute: bars');
    expect(asked).toEqual([]);
  });

  test('is pointed at by the keyboard, step by step', async () => {
    await show();
    expect(offer()).toBeNull();
    await userEvent.tab();
    await userEvent.tab();
    expect(document.activeElement).toBe(cursor());
    expect(cursor().getAttribute('aria-valuetext')).toBe('46.25: the arrows choose another price');
    await userEvent.keyboard('{Enter}');
    expect(offer()).toBe('Alert me: crosses above 46.25');
    expect(asked).toEqual([]);
    await userEvent.keyboard('{ArrowUp}{ArrowUp}');
    expect(cursor().getAttribute('aria-valuetext')).toBe(
      '46.27: Enter sets an alert when it crosses above 46.27',
    );
    expect(offer()).toBe('Alert me: crosses above 46.27');
    await userEvent.keyboard('{PageDown}{ArrowDown}');
    expect(cursor().getAttribute('aria-valuenow')).toBe('46.16');
    await userEvent.keyboard('{Enter}');
    expect(asked).toEqual([{ price: 46.16, op: 'crosses_below' }]);
    await userEvent.keyboard('{Escape}');
    expect(offer()).toBeNull();
  });

  test('is done once an alert waits there', async () => {
    const { again } = await show();
    click(46.3);
    again(46.25, { ...DATA, levels: [{ kind: 'alert', title: 'Alert', price: 46.1 }] });
    expect(offer()).not.toBeNull();
    again(46.25, { ...DATA, levels: [{ kind: 'alert', title: 'Alert', price: 46.3 }] });
    expect(offer()).toBeNull();
    click(46.3);
    expect(offer()).not.toBeNull();
  });

  test('is not to be had where there is none to be set', async () => {
    const { container } = await show(null);
    click(46.3);
    expect(offer()).toBeNull();
    expect(screen.getAllByRole('slider')).toHaveLength(1);
    expect(container.textContent).not.toContain('Points at a price');
    expect(marked()).toEqual([]);
  });

  test('its button follows the line, and stays at the edge where that is out of sight', async () => {
    const { container } = await show();
    click(46.3);
    const top = () =>
      container.querySelector<HTMLElement>('.price-cursor')?.style.getPropertyValue('--cursor-top');
    act(() => fake.events()?.onCursor(81));
    expect(top()).toBe('81px');
    act(() => fake.events()?.onCursor(null));
    expect(top()).toBe('');
  });
});
