import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { giveLayout } from '../support/layout.ts';
import { codes, remember, row, screenOf, SHOW_ALL, THREE_STOCKS } from '../support/scannerScreen.tsx';

let takeLayout: () => void;
beforeEach(() => {
  takeLayout = giveLayout();
});
afterEach(() => takeLayout());

describe('the keyboard', () => {
  test('moves, opens, closes and leaves', async () => {
    remember('intraDaySmall', SHOW_ALL);
    render(screenOf('intraDaySmall', THREE_STOCKS));
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(row('BBB'));
    await userEvent.keyboard('{ArrowDown}j{ArrowDown}');
    expect(document.activeElement).toBe(row('AAA'));
    await userEvent.keyboard('{Home}{Enter}');
    expect(screen.getByRole('article', { name: 'News for BBB' })).toBeDefined();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('article')).toBeNull();
    expect(document.activeElement).toBe(row('BBB'));
    await userEvent.keyboard('{Escape}');
    expect(document.activeElement).toBe(document.body);
  });

  test('/ goes to the filter, Escape clears it and then leaves it', async () => {
    render(screenOf('intraDaySmall', THREE_STOCKS));
    await userEvent.keyboard('/aa');
    const box = screen.getByRole('textbox', { name: 'Filter by code or name' }) as HTMLInputElement;
    expect(document.activeElement).toBe(box);
    expect(box.value).toBe('aa');
    expect(codes('Top Movers under $1')).toEqual(['AAA']);
    await userEvent.keyboard('{Escape}');
    expect(box.value).toBe('');
    await userEvent.keyboard('{Escape}');
    expect(document.activeElement).toBe(document.body);
  });
});

test.each(['Enter', 'ArrowDown'])('from the filter %s goes on to the first row', async (key) => {
  render(screenOf('intraDaySmall', THREE_STOCKS));
  await userEvent.keyboard('/');
  await userEvent.keyboard(`{${key}}`);
  expect(document.activeElement).toBe(row(codes('Top Movers under $1')[0] ?? ''));
});

describe('a tap on a row', () => {
  const atWidth = (isPhone: boolean) => {
    const real = window.matchMedia;
    window.matchMedia = ((query: string) => ({
      ...real.call(window, query),
      matches: isPhone,
      addEventListener() {},
      removeEventListener() {},
    })) as typeof window.matchMedia;
    return () => {
      window.matchMedia = real;
    };
  };
  test.each([
    ['opens and closes it on a phone', true, 1],
    ['does nothing at a desk', false, 0],
  ] as const)('%s', async (_, isPhone, opened) => {
    const restore = atWidth(isPhone);
    try {
      render(screenOf('intraDaySmall', THREE_STOCKS));
      const cell = () => {
        const found = row(codes('Top Movers under $1')[0] ?? '').querySelector('td.cell:last-child');
        if (!found) throw new Error('The row has no cells.');
        return found;
      };
      const details = () => document.querySelectorAll('tr[data-detail]').length;
      await userEvent.click(cell());
      expect(details()).toBe(opened);
      await userEvent.click(cell());
      expect(details()).toBe(0);
    } finally {
      restore();
    }
  });
});
