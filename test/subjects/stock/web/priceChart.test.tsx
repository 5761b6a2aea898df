import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { useState } from 'react';
import { act, fireEvent, render, screen, within, waitFor } from '@testing-library/react';
import type { ChartData } from '#market/bars/rules/chart.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { PriceChart } from '#subjects/stock/web/shared/chart/PriceChart.tsx';
import type { MakeDrawing, DrawingEvents } from '#subjects/stock/web/shared/chart/types.ts';
import type { PriceCrossing } from '#subjects/alerts/rules/crossingAt.ts';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { chooseSize } from '#subjects/calls/web/shared/size/sizeChoices.tsx';
import { useSizeReadout } from '#subjects/stock/web/shared/chart/StockChart.tsx';
import { tokenOf } from '#support/alertWindow.ts';
import { aStock } from '#support/aStock.ts';
import { results } from '#support/axe.ts';
import { barsOf } from '#support/chartBars.ts';

/** A drawing that only records its calls. */
function fakeDrawing() {
  const reported: unknown[] = [];
  let events: DrawingEvents | null = null;
  let drawn = 0;
  const make: MakeDrawing = (_host, given) => {
    events = given;
    drawn += 1;
    return {
      show: ({ bars }) => reported.push(['show', bars.close.at(-1)]),
      point: (bar) => reported.push(['point', bar]),
      mark: (price) => reported.push(['mark', price]),
      lines: (levels) => reported.push(['lines', ...levels.map(({ price }) => price)]),
      priceAt: (top) => 50 - top / 100,
      hold: (isHeld) => reported.push(['hold', isHeld]),
      zoom: (factor) => reported.push(['zoom', factor > 1]),
      stop: () => {
        drawn -= 1;
      },
    };
  };
  return { reported, make, load: () => Promise.resolve(make), events: () => events, count: () => drawn };
}

const MINUTE = 60_000;
const TEN = fromSydney('2026-01-20', 10, 0);
const DATA: ChartData = {
  tf: '1',
  bars: { ...barsOf(TEN, MINUTE, [46.2, 46.3, 46.25]), high: [46.2, 46.35, 46.3] },
  unknown: [],
  knownSince: TEN,
  hasMore: false,
  marks: [{ kind: 'sensitive', time: TEN + MINUTE + 1000, text: 'Quarterly report' }],
  levels: [{ kind: 'previousClose', price: 46, title: 'P. Close' }],
};

let fake: ReturnType<typeof fakeDrawing>;
beforeEach(() => {
  fake = fakeDrawing();
});

async function show(props: Partial<Parameters<typeof PriceChart>[0]> = {}) {
  const chart = (more: typeof props) => (
    <PriceChart label="BHP, 1 minute" data={DATA} load={fake.load} {...props} {...more} />
  );
  const view = render(chart({}));
  await act(async () => undefined);
  return { ...view, again: (more: typeof props) => view.rerender(chart(more)) };
}
const sliderText = () => screen.getByRole('slider').getAttribute('aria-valuetext');

describe('a price chart', () => {
  test('shows its averages at each bar, in table and legend, and where there are too few bars', async () => {
    const data: ChartData = {
      ...DATA,
      averages: [
        { id: 'sma20', values: [Number.NaN, 46.2512, 0.98765], first: 1 },
        { id: 'ema200', values: [46, 46, 46], first: 3 },
      ],
    };
    const { container, again } = await show({ data });
    const legend = () => container.querySelector('.chart-legend')?.textContent ?? '';
    expect(legend()).toContain('SMA 20 0.988 EMA 200 too few bars');
    act(() => fake.events()?.onPoint(1));
    expect(legend()).toContain('SMA 20 46.25');
    expect(sliderText()).toContain('SMA 20 46.25; EMA 200 too few bars');
    act(() => fake.events()?.onPoint(0));
    expect(legend()).toContain('SMA 20 –');
    const rows = within(await screen.findByRole('table')).getAllByRole('row');
    expect(rows[0]?.textContent).toContain('VolumeSMA 20EMA 200');
    expect(rows[2]?.textContent).toBe('10:0146.3046.3546.3046.3010046.25–');
    await userEvent.click(screen.getByText('Legend'));
    const entry = (title: string) =>
      [...container.querySelectorAll('.chart-key-entry')].find(({ textContent }) =>
        textContent?.includes(title),
      )?.textContent;
    expect(entry('SMA 20')).toBe(' SMA 20Simple moving average of the last 20 closes: 0.988');
    expect(entry('EMA 200')).toContain('of the last 200 closes: too few bars (3 available)');
    again({ data: { ...data, hasMore: true } });
    expect(entry('EMA 200')).toContain('loading earlier bars');
    again({ data: DATA });
    expect(within(screen.getByRole('table')).queryByText('SMA 20')).toBeNull();
    expect(await results(container)).toEqual([]);
  });

  test('is stepped through by the arrows, read aloud bar by bar, and left by Escape and Tab', async () => {
    const steps: number[] = [];
    await show({ onTimeframe: (step) => steps.push(step) });
    await userEvent.tab();
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(sliderText()).toContain('10:01: open 46.30, high 46.35, low 46.30, close 46.30, volume 100.');
    expect(sliderText()).toContain('Quarterly report');
    await userEvent.keyboard('{Home}{ArrowLeft}');
    expect(sliderText()).toContain('10:00');
    await userEvent.keyboard('{End}');
    expect(sliderText()).toContain('10:02');
    await userEvent.keyboard('{ArrowUp}{ArrowDown}+-');
    expect(steps).toEqual([1, -1]);
    await userEvent.keyboard('{Escape}');
    expect(fake.reported.at(-1)).toEqual(['point', null]);
    expect(fake.reported.filter((entry) => Array.isArray(entry) && entry[0] === 'zoom')).toEqual([
      ['zoom', true],
      ['zoom', false],
    ]);
  });

  test('has its numbers as a table, and shows when its data start', async () => {
    const { container } = await show();
    const rows = within(await screen.findByRole('table')).getAllByRole('row');
    expect(rows).toHaveLength(4);
    expect(rows[2]?.textContent).toBe('10:0146.3046.3546.3046.30100');
    expect(container.textContent).toContain('Data since 20 Jan 10:00.');
    expect(screen.getByText(/P. Close: 46.00/)).toBeDefined();
    expect(await results(container)).toEqual([]);
  });

  test.each(['first', 'next'])(
    'shows a drawing failure in its place, from the %s picture on',
    async (which) => {
      const logged = spyOn(console, 'error').mockImplementation(() => undefined);
      let isBroken = which === 'first';
      const make: MakeDrawing = (...given) => {
        const drawing = fake.make(...given);
        const broken = () => {
          throw new Error('Cannot update oldest data');
        };
        return { ...drawing, show: (data) => (isBroken ? broken() : drawing.show(data)) };
      };
      const { again } = await show({ load: () => Promise.resolve(make) });
      isBroken = true;
      if (which === 'next') again({ data: { ...DATA, marks: [] } });
      await act(async () => undefined);
      expect(screen.getByRole('alert').textContent).toContain('The chart could not be shown.');
      expect(sliderText()).toContain('close 46.25');
      expect(fake.count()).toBe(0);
      expect(logged.mock.calls).toMatchObject([
        ['The chart could not be drawn.', { message: 'Cannot update oldest data' }],
      ]);
      logged.mockRestore();
      isBroken = false;
      await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
      await act(async () => undefined);
      expect(screen.queryByRole('alert')).toBeNull();
      expect(fake.reported.at(-1)).toEqual(['show', 46.25]);
    },
  );
});

describe('lines of the user', () => {
  const STOP = { id: 's', label: 'Stop', price: 45.5, tone: 'stop' } as const;
  const moves: unknown[] = [];
  function Lines() {
    const [price, setPrice] = useState<number>(STOP.price);
    const onMove = (next: number, isDone: boolean) => {
      moves.push([next, isDone]);
      setPrice(next);
    };
    return <PriceChart label="BHP" data={DATA} load={fake.load} lines={[{ ...STOP, price, onMove }]} />;
  }

  test('are dragged and moved by key, on price steps, and Escape returns a dragged one', async () => {
    const { container } = render(<Lines />);
    await act(async () => undefined);
    const stop = screen.getByRole('slider', { name: 'Stop' });
    stop.setPointerCapture = () => undefined;
    fireEvent.pointerDown(stop, { clientY: 450, button: 0 });
    fireEvent.pointerMove(stop, { clientY: 470.4 });
    fireEvent.keyDown(stop, { key: 'Escape' });
    fireEvent.pointerMove(stop, { clientY: 400 });
    act(() => stop.focus());
    await userEvent.keyboard('{ArrowUp}{PageDown}');
    expect(moves).toEqual([
      [49.8, false],
      [45.5, true],
      [45.51, true],
      [45.41, true],
    ]);
    expect(stop.getAttribute('aria-valuetext')).toBe('45.41');
    expect(fake.reported.filter((entry) => String(entry).startsWith('hold'))).toEqual([
      ['hold', true],
      ['hold', false],
    ]);
    expect(fake.reported.at(-1)).toEqual(['lines', 45.41]);
    expect(await results(container)).toEqual([]);
  });

  test('are only text if they are fixed', async () => {
    await show({ lines: [STOP] });
    expect(screen.queryByRole('slider', { name: 'Stop' })).toBeNull();
    expect(screen.getByText('Stop 45.50')).toBeDefined();
  });
});

describe('an alert at the selected price', () => {
  let asked: PriceCrossing[] = [];
  beforeEach(() => {
    asked = [];
  });
  const alertAt = (current: number) => ({
    current,
    ask: (crossing: PriceCrossing) => void asked.push(crossing),
  });
  const showAlert = () => show({ alert: alertAt(46.25) });
  const offer = () => screen.queryByRole('button', { name: /^Alert me: / })?.textContent ?? null;
  const cursor = () => screen.getByRole('slider', { name: 'BHP, 1 minute: price of an alert' });
  const marked = () => fake.reported.filter((entry) => Array.isArray(entry) && entry[0] === 'mark');
  const click = (price: number) => act(() => fake.events()?.onPick(price));

  test('is offered by a click, rounded to the price step, and created only by its button', async () => {
    const { container } = await showAlert();
    click(46.3049);
    expect(offer()).toBe('Alert me: rises to 46.30');
    expect(marked()).toEqual([['mark', 46.3]]);
    click(46.1081);
    expect(offer()).toBe('Alert me: falls to 46.11');
    expect(asked).toEqual([]);
    expect(await results(container)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: /^Alert me: / }));
    expect(asked).toEqual([{ price: 46.11, op: '<=' }]);
  });

  test('reverses direction once the price has passed it', async () => {
    const { again } = await showAlert();
    click(46.3);
    again({ alert: alertAt(46.35) });
    expect(offer()).toBe('Alert me: falls to 46.30');
  });

  test('closes by Escape, which closes nothing else, or its cross, and the chart keeps the keyboard', async () => {
    await showAlert();
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
    await userEvent.click(screen.getByRole('button', { name: 'Close without setting an alert' }));
    expect(offer()).toBeNull();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('BHP, 1 minute: bars');
    expect(asked).toEqual([]);
  });

  test('is moved by the keyboard, step by step', async () => {
    await showAlert();
    expect(offer()).toBeNull();
    await userEvent.tab();
    await userEvent.tab();
    expect(document.activeElement).toBe(cursor());
    expect(cursor().getAttribute('aria-valuetext')).toBe('46.25: the arrows choose another price');
    await userEvent.keyboard('{Enter}');
    expect(offer()).toBe('Alert me: rises to 46.25');
    expect(asked).toEqual([]);
    await userEvent.keyboard('{ArrowUp}{ArrowUp}');
    expect(cursor().getAttribute('aria-valuetext')).toBe('46.27: Enter sets an alert when it rises to 46.27');
    expect(offer()).toBe('Alert me: rises to 46.27');
    await userEvent.keyboard('{PageDown}{ArrowDown}');
    expect(cursor().getAttribute('aria-valuenow')).toBe('46.16');
    await userEvent.keyboard('{Enter}');
    expect(asked).toEqual([{ price: 46.16, op: '<=' }]);
    await userEvent.keyboard('{Escape}');
    expect(offer()).toBeNull();
  });
});

describe('the size for a stop', () => {
  const STOCK = aStock({ code: 'BHP', last: 46.25 });
  function Chart() {
    const readout = useSizeReadout(STOCK);
    const data = { ...DATA, bars: barsOf(TEN, MINUTE, [46.2, 46.1, 46.25]) };
    const alert = { current: 46.25, ask: () => undefined };
    return (
      <PriceChart
        label="BHP, 1 minute"
        data={data}
        load={fake.load}
        alert={alert}
        {...(readout && { readout })}
      />
    );
  }
  async function showSize() {
    act(() => startSession({ accessToken: tokenOf(901), accessLevel: 1 }));
    act(() => chooseSize({ risk: 100 }));
    const view = render(<Chart />);
    await screen.findByRole('button', { name: 'Risk $100' });
    // The drawing code may load after the readout.
    await waitFor(() => expect(fake.count()).toBe(1));
    return view;
  }
  afterEach(() => endSession());
  const text = () => document.querySelector('.size-readout-text')?.textContent ?? null;

  test('is shown for the price under the pointer, otherwise at the price cursor', async () => {
    const { container } = await showSize();
    act(() => fake.events()?.onHover(45.2512));
    expect(text()).toBe('Stop 45.25: 100 shares, value $4,625.00, loss $100.00');
    act(() => fake.events()?.onPick(45.75));
    act(() => fake.events()?.onHover(null));
    expect(text()).toBe('Stop 45.75: 200 shares, value $9,250.00, loss $100.00');
    act(() => fake.events()?.onHover(46.5));
    expect(text()).toBe('Stop 46.50: the stop must be below the entry.');
    expect(await results(container)).toEqual([]);
  });

  test('follows the keyboard, by a bar’s close and by the price cursor', async () => {
    await showSize();
    act(() => screen.getByRole('slider', { name: 'BHP, 1 minute: bars' }).focus());
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(text()).toBe('Stop 46.10: 666 shares, value $30,802.50, loss $99.90');
    act(() => screen.getByRole('slider', { name: 'BHP, 1 minute: price of an alert' }).focus());
    await userEvent.keyboard('{Enter}{PageDown}');
    expect(text()).toBe('Stop 46.15: 1,000 shares, value $46,250.00, loss $100.00');
  });
});
