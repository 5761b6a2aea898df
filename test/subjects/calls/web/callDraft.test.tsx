import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { CallsPage } from '../../../../src/subjects/calls/web/CallsPage.tsx';
import { SubmitCallDialog } from '../../../../src/subjects/calls/web/parts/SubmitCallDialog.tsx';
import { forgetCall } from '../../../../src/subjects/calls/web/shared/requestedCall.ts';
import { resetCalls } from '../../../../src/subjects/calls/web/state.ts';
import { type AppInPage, listed, openAppInPage } from '../../../support/appInPage.ts';

let page: AppInPage;
const dialog = (asked: string | null = null) => (
  <SubmitCallDialog symbol={asked} onClose={() => {}} onSubmitted={() => {}} />
);
beforeEach(async () => {
  forgetCall();
  page = openAppInPage();
  page.quote(listed('BHP', 45.2), listed('CBA', 170), listed('CB', 1.5));
  await page.signIn('olive');
  render(dialog());
});
afterEach(() => {
  cleanup();
  page.close();
  resetCalls();
});

const box = (name: string) => screen.getByRole<HTMLInputElement>('spinbutton', { name });
const symbol = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Symbol' });
const prices = () => [box('Entry Price').value, box('Target Price').value, box('Stop loss value').value];
const pick = async (code: string) => {
  await userEvent.type(symbol(), code);
  await userEvent.tab();
};
const type = async (name: string, text: string) => {
  await userEvent.clear(box(name));
  await userEvent.type(box(name), text);
};

describe('a half-written call', () => {
  const KEY = 'bellbird.callDraft';
  /** A reload takes the page away without telling its parts. */
  const reload = (shown: ReactNode) => {
    const kept = window.sessionStorage.getItem(KEY);
    cleanup();
    if (kept !== null) window.sessionStorage.setItem(KEY, kept);
    render(shown);
  };
  test('stands in its form again after a reload, on the page that it was written on', async () => {
    await pick('BHP');
    await type('Target Price', '48');
    reload(<CallsPage />);
    await screen.findByRole('dialog', { name: 'Submit Call' });
    expect([symbol().value, ...prices()]).toEqual(['BHP', '45.2', '48', '45.199']);
  });

  test('is not there for another symbol, for another user, nor when nothing was written', async () => {
    reload(dialog());
    expect(symbol().value).toBe('');
    await pick('CB');
    reload(dialog('CBA'));
    expect(symbol().value).toBe('CBA');
    await page.signIn('oscar');
    reload(dialog());
    expect(symbol().value).toBe('');
  });

  test('is forgotten once it was given up', async () => {
    await pick('BHP');
    expect(window.sessionStorage.getItem(KEY)).toContain('BHP');
    cleanup();
    expect(window.sessionStorage.getItem(KEY)).toBeNull();
  });
});
