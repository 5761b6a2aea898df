import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ChartData } from '../../../../src/market/bars/rules/chart.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { MARK_SIGNS } from '../../../../src/subjects/stock/web/shared/chart/markTexts.ts';
import { PriceChart } from '../../../../src/subjects/stock/web/shared/chart/PriceChart.tsx';
import type { MakeDrawing } from '../../../../src/subjects/stock/web/shared/chart/types.ts';
import { findings } from '../../../support/axe.ts';
import { barsOf } from '../../../support/chartBars.ts';
import { fakeDrawing } from '../../../support/fakeDrawing.ts';

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
afterEach(cleanup);

async function show(props: Partial<Parameters<typeof PriceChart>[0]> = {}) {
  const chart = (more: typeof props) => (
    <PriceChart label="BHP, 1 minute" data={DATA} load={fake.load} {...props} {...more} />
  );
  const view = render(chart({}));
  await act(async () => undefined);
  return { ...view, again: (more: typeof props) => view.rerender(chart(more)) };
}
const said = () => screen.getByRole('slider').getAttribute('aria-valuetext');

describe('a price chart', () => {
  test('explains its bars, and the lines and marks that it has, and no others', async () => {
    const { container } = await show();
    await userEvent.click(screen.getByText('Legend'));
    const entries = [...container.querySelectorAll('.chart-key-entry')].map(({ textContent }) => textContent);
    expect(entries).toEqual([
      ...['▮Closed above its open', '▮Closed below its open', '▂Volume, along the bottom'],
      ...['P. CloseThe previous close', '$A price-sensitive announcement'],
    ]);
    expect(await findings(container)).toEqual([]);
  });

  test('tells its averages at each bar, in the table and in the legend, and where there are too few bars', async () => {
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
    expect(said()).toContain('SMA 20 46.25; EMA 200 too few bars');
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
    expect(entry('EMA 200')).toContain('of the last 200 closes: too few bars, 3 are known');
    again({ data: { ...data, hasMore: true } });
    expect(entry('EMA 200')).toContain('earlier bars are being read');
    again({ data: DATA });
    expect(within(screen.getByRole('table')).queryByText('SMA 20')).toBeNull();
    expect(await findings(container)).toEqual([]);
  });

  test('its legend has the letters of the drawing', async () => {
    const { MARK_LOOKS } = await import('../../../../src/subjects/stock/web/shared/chart/drawing/looks.ts');
    for (const [kind, { text }] of Object.entries(MARK_LOOKS)) {
      expect(MARK_SIGNS[kind as keyof typeof MARK_SIGNS]).toContain(text);
    }
  });

  test('tells the newest bar, and that under the pointer with what happened there', async () => {
    const { container } = await show();
    const legend = () => container.querySelector('.chart-legend')?.textContent ?? '';
    expect(legend()).toContain('10:02');
    expect(legend()).toContain('H 46.30');
    act(() => fake.events()?.onPoint(1));
    expect(legend()).toContain('10:01');
    expect(legend()).toContain('+0.10 (+0.22 %)');
    expect(legend()).toContain('Price sensitive: Quarterly report');
    act(() => fake.events()?.onPoint(null));
    expect(legend()).toContain('−0.05');
  });

  test('is walked by the arrows, spoken bar by bar, and left by Escape and by Tab', async () => {
    const steps: number[] = [];
    await show({ onTimeframe: (step) => steps.push(step) });
    await userEvent.tab();
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(said()).toContain('10:01: open 46.30, high 46.35, low 46.30, close 46.30, volume 100.');
    expect(said()).toContain('Quarterly report');
    await userEvent.keyboard('{Home}{ArrowLeft}');
    expect(said()).toContain('10:00');
    await userEvent.keyboard('{End}');
    expect(said()).toContain('10:02');
    await userEvent.keyboard('{ArrowUp}{ArrowDown}+-');
    expect(steps).toEqual([1, -1]);
    await userEvent.keyboard('{Escape}');
    expect(fake.told.at(-1)).toEqual(['point', null]);
    expect(fake.told.filter((entry) => Array.isArray(entry) && entry[0] === 'zoom')).toEqual([
      ['zoom', true],
      ['zoom', false],
    ]);
  });

  test('goes on with new data in the same drawing, and takes it away with itself', async () => {
    const { again, unmount } = await show();
    again({ data: { ...DATA, bars: { ...DATA.bars, close: [46.2, 46.3, 46.4] } } });
    expect(fake.told.filter((entry) => Array.isArray(entry) && entry[0] === 'show')).toEqual([
      ['show', 46.25],
      ['show', 46.4],
    ]);
    expect(fake.count()).toBe(1);
    unmount();
    expect(fake.count()).toBe(0);
  });

  test('has its numbers as a table, and says from when it knows', async () => {
    const { container } = await show();
    const rows = within(await screen.findByRole('table')).getAllByRole('row');
    expect(rows).toHaveLength(4);
    expect(rows[2]?.textContent).toBe('10:0146.3046.3546.3046.30100');
    expect(container.textContent).toContain('Known since 20 Jan 10:00.');
    expect(screen.getByText(/P. Close: 46.00/)).toBeDefined();
    expect(await findings(container)).toEqual([]);
  });

  test('whose code does not come says so, and is fetched again', async () => {
    let isThere = false;
    await show({ load: () => (isThere ? fake.load() : Promise.reject(new Error('gone'))) });
    expect(screen.getByRole('alert').textContent).toContain('The chart could not be shown.');
    isThere = true;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await act(async () => undefined);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test.each(['first', 'next'])(
    'that can’t be drawn says so in its own place, from the %s picture on',
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
      expect(said()).toContain('close 46.25');
      expect(fake.count()).toBe(0);
      expect(logged.mock.calls).toMatchObject([
        ['The chart could not be drawn.', { message: 'Cannot update oldest data' }],
      ]);
      logged.mockRestore();
      isBroken = false;
      await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
      await act(async () => undefined);
      expect(screen.queryByRole('alert')).toBeNull();
      expect(fake.told.at(-1)).toEqual(['show', 46.25]);
    },
  );

  test('of no bars has nothing to tell', async () => {
    await show({ data: { ...DATA, bars: barsOf(TEN, MINUTE, []), marks: [] } });
    expect(said()).toBe('No bars');
    await userEvent.tab();
    await userEvent.keyboard('{ArrowLeft}{Home}');
    expect(said()).toBe('No bars');
  });
});
