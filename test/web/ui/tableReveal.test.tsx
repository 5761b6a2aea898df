import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { act, fireEvent, render, waitFor, within } from '@testing-library/react';
import { requestRow } from '../../../web/shared/scannerRequests.ts';
import { giveLayout } from '../../support/layout.ts';
import { row, screenOf, THREE_STOCKS } from '../../support/scannerScreen.tsx';

let scrolled: string[] = [];
let tidyUp: (() => void)[] = [];
beforeEach(() => {
  scrolled = [];
  const spy = spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    if (this instanceof HTMLElement) scrolled.push(this.dataset['id'] ?? `panel ${this.dataset['detail']}`);
  });
  tidyUp = [giveLayout(), () => spy.mockRestore()];
});
afterEach(() => {
  for (const end of tidyUp) end();
});

const jumpTo = (code: string) => act(() => requestRow({ scanner: 'intraDaySmall', code }));
const settled = () => new Promise((done) => setTimeout(done, 50));

test('a row that is jumped to comes into sight each time, also if it is selected already', async () => {
  render(screenOf('intraDaySmall', THREE_STOCKS));
  jumpTo('AAA');
  await waitFor(() => expect(document.activeElement).toBe(row('AAA')));
  expect(scrolled).toContain('AAA');
  await act(settled);
  fireEvent.pointerDown(document.body);
  act(() => row('AAA').blur());
  scrolled = [];
  jumpTo('AAA');
  await waitFor(() => expect(document.activeElement).toBe(row('AAA')));
  expect(scrolled).toContain('AAA');
});

test('a row that opens comes into sight with its panel until something else is used', async () => {
  render(screenOf('intraDaySmall', THREE_STOCKS));
  const open = (code: string) =>
    fireEvent.click(within(row(code)).getByRole('button', { name: `News for ${code}` }));
  open('BBB');
  expect(scrolled.slice(0, 2)).toEqual(['panel BBB', 'BBB']);
  await act(settled);
  fireEvent.keyDown(document.body, { key: 'Shift' });
  scrolled = [];
  // Closing one moves nothing.
  open('BBB');
  await act(settled);
  expect(scrolled).toEqual([]);
});
