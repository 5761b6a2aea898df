import { afterEach, beforeEach, expect, test } from 'bun:test';
import { fireEvent, render, screen } from '@testing-library/react';
import { aStock } from '../../../support/aStock.ts';
import { giveLayout } from '../../../support/layout.ts';
import { codes, screenOf, THREE_STOCKS } from '../../../support/scannerScreen.tsx';

let takeLayout: () => void;
let copied = '';
beforeEach(() => {
  takeLayout = giveLayout();
  copied = '';
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (text: string) => void (copied = text) },
  });
});
afterEach(() => {
  takeLayout();
  Reflect.deleteProperty(navigator, 'clipboard');
});

const TITLE = 'Top Movers under $1';
const MANY = Array.from({ length: 400 }, (_, index) =>
  aStock({ ...THREE_STOCKS[0], code: `A${index}`, name: index === 0 ? '=HYPERLINK("x")' : 'Company' }),
);

test('a scanner gives all its rows, those that are not drawn too, in the order shown', async () => {
  render(screenOf('intraDaySmall', MANY, { scope: '' }));
  const shown = codes(TITLE);
  expect(shown.length).toBeLessThan(MANY.length);
  fireEvent.click(screen.getByRole('button', { name: `Copy or save ${TITLE}` }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Copy for a spreadsheet' }));
  await screen.findByText('400 rows copied');
  const lines = copied.split('\n').map((line) => line.split('\t'));
  expect(lines[0]?.slice(0, 3)).toEqual(['Code', 'Name', 'Change']);
  expect(lines.slice(1, 1 + shown.length).map(([code]) => code)).toEqual(shown);
  expect(lines.length).toBe(401);
  expect(lines.find(([code]) => code === 'A0')?.[1]).toBe(`"'=HYPERLINK(""x"")"`);
});
