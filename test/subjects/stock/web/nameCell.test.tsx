import { afterEach, beforeEach, expect, test } from 'bun:test';
import { screen, within } from '@testing-library/react';
import { type NameCellProps, nameCellIn } from '#subjects/stock/web/shared/cells.tsx';

const BHP: NameCellProps = {
  code: 'BHP',
  name: 'BHP Group',
  note: null,
  url: 'https://example.com/BHP',
  news: 'none',
  headline: null,
  isShort: false,
  inTabOrder: false,
};

let cell: HTMLElement;
let write: (props: NameCellProps) => void;
beforeEach(() => {
  cell = document.createElement('div');
  document.body.append(cell);
  write = nameCellIn(cell);
});
afterEach(() => cell.remove());

const link = () => within(cell).queryByRole<HTMLAnchorElement>('link');

test('the name cell of a row shows the row’s current stock in the same elements', () => {
  write(BHP);
  const before = link();
  write({
    ...BHP,
    code: 'CBA',
    name: 'Commonwealth Bank',
    url: 'https://example.com/CBA',
    inTabOrder: true,
  });
  expect(link()).toBe(before);
  expect(link()?.textContent).toBe('CBACommonwealth Bank');
  expect(link()?.getAttribute('href')).toBe('https://example.com/CBA');
  expect([link()?.title, link()?.tabIndex]).toEqual(['Commonwealth Bank', 0]);
  expect(nameCellIn(cell)).toBe(write);
});

test('the name cell of a row shows that the stock is halted while it is, in short form too', () => {
  write({ ...BHP, note: 'Halted' });
  expect(link()?.textContent).toBe('BHPHaltedBHP Group');
  write({ ...BHP, note: 'Suspended', isShort: true, url: null });
  expect(cell.textContent).toBe('BHPSuspended');
  write(BHP);
  expect(link()?.textContent).toBe('BHPBHP Group');
});

test('the name cell of a row shows the news mark and the headline, until a row has none', () => {
  write({ ...BHP, news: 'plain', headline: 'Annual Report' });
  expect(screen.getByRole('button', { name: 'News today' }).getAttribute('aria-description')).toBe(
    'Annual Report',
  );
  expect(cell.querySelector('.name-cell-headline')?.textContent).toBe('Annual Report');
  write({ ...BHP, news: 'sensitive', headline: 'Trading Halt' });
  expect(screen.queryByRole('button', { name: 'News today' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Price-sensitive news today' })).not.toBeNull();
  expect(cell.querySelector('.name-cell-headline')?.textContent).toBe('Trading Halt');
  write(BHP);
  expect(screen.queryByRole('button')).toBeNull();
  expect(cell.querySelector('.name-cell-headline')).toBeNull();
});
