import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  NameCell,
  type NameCellProps,
  nameCellIn,
} from '../../../../src/subjects/stock/web/shared/cells/NameCell.tsx';

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
afterEach(() => {
  cleanup();
  cell.remove();
});

const link = () => within(cell).queryByRole<HTMLAnchorElement>('link');

describe('the name cell of a line', () => {
  test('says the stock that the line shows now, in the same elements', () => {
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

  test('is no link without an address, and one again with it; in short it says the code alone', () => {
    write({ ...BHP, url: null });
    expect(link()).toBeNull();
    expect(cell.textContent).toBe('BHPBHP Group');
    write({ ...BHP, isShort: true, headline: 'Annual Report', news: 'plain' });
    expect(link()?.textContent).toBe('BHP');
    expect([link()?.href, link()?.title]).toEqual(['https://example.com/BHP', 'BHP Group']);
    expect(cell.querySelector('.name-cell-headline')).toBeNull();
  });

  test('says that the stock is halted as long as it is, in short too', () => {
    write({ ...BHP, note: 'Halted' });
    expect(link()?.textContent).toBe('BHPHaltedBHP Group');
    write({ ...BHP, note: 'Suspended', isShort: true, url: null });
    expect(cell.textContent).toBe('BHPSuspended');
    write(BHP);
    expect(link()?.textContent).toBe('BHPBHP Group');
  });

  test('has the mark of its news and the headline, and neither when the next row has none', () => {
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

  test('takes an open tooltip away with its mark, and opens it again with the mark', async () => {
    const news = { ...BHP, news: 'plain', headline: 'Annual Report' } as const;
    write(news);
    await userEvent.hover(screen.getByRole('button'));
    expect(screen.getByRole('tooltip').textContent).toBe('Annual Report');
    write(BHP);
    expect(screen.queryByRole('tooltip')).toBeNull();
    write(news);
    expect(screen.queryByRole('tooltip')).toBeNull();
    await userEvent.unhover(screen.getByRole('button'));
    await userEvent.hover(screen.getByRole('button'));
    expect(screen.getByRole('tooltip').textContent).toBe('Annual Report');
  });

  test('is the same where React renders what stands around it', () => {
    const view = render(<NameCell {...BHP} />);
    write(BHP);
    expect(view.container.firstElementChild?.innerHTML).toBe(cell.innerHTML);
    view.rerender(<NameCell {...BHP} name="Another name" />);
    expect(view.container.textContent).toBe('BHPAnother name');
  });
});
