import { expect, test } from 'bun:test';
import { act, renderHook, screen, waitFor } from '@testing-library/react';
import { saySaved } from '../../../web/shared/saved.ts';
import { useScannerPreferences } from '../../../src/subjects/scanners/web/useScannerPreferences.ts';

const note = () => document.querySelector('[aria-live="polite"].snackbar');
const isSaid = () => waitFor(() => expect(note()?.textContent).toBe('Saved'));
const isGone = () => waitFor(() => expect(note()?.textContent ?? '').toBe(''), { timeout: 5000 });

test('Saved is said politely, and goes by itself', async () => {
  saySaved();
  await isSaid();
  expect(screen.getAllByText('Saved')).toHaveLength(1);
  await isGone();
  saySaved();
  await isSaid();
  await isGone();
});

test('a filter that is kept says it, a text that is not kept does not', async () => {
  const { result } = renderHook(() => useScannerPreferences('custom', null));
  const set = (part: object) =>
    act(() => {
      const [preferences, change] = result.current;
      change({ filters: { ...preferences.filters, ...part } });
    });
  set({ text: 'BHP' });
  set({ text: '' });
  // Long enough for a note that should not come.
  await new Promise((done) => setTimeout(done, 50));
  expect(note()?.textContent ?? '').toBe('');
  set({ newsOnly: true });
  await isSaid();
  await isGone();
});
