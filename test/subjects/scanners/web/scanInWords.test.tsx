import { expect, test } from 'bun:test';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Logic } from '../../../../src/subjects/conditions/rules/condition.ts';
import { logicText } from '../../../../src/subjects/conditions/rules/logicText.ts';
import { click, closed, editor, onStage, open, posted } from '../../../support/customScanner.tsx';
import { PHRASE_CATALOG } from '../../../support/phrases.ts';

onStage();

test('a scan is made of a phrase by its conditions, and saved by Save alone', async () => {
  await open();
  await click('New scan');
  const dialog = within(await editor());
  await userEvent.type(dialog.getByLabelText('Name'), 'Gaps');
  await userEvent.type(
    dialog.getByLabelText('Say it in words'),
    'above 20 ema, gap over 3%, cup and handle{Enter}',
  );
  const found = within(await screen.findByRole('region', { name: 'What was read' }));
  expect(within(found.getByRole('list', { name: 'Not understood' })).getAllByRole('listitem')).toHaveLength(
    2,
  );
  expect(posted()).toEqual([]);
  await userEvent.click(found.getByRole('button', { name: 'Use these 2 conditions' }));
  // The values of its indicator are asked for, once.
  await waitFor(() => expect(posted('/api/indicators/prefs')).toHaveLength(1));
  expect(posted()).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await closed();
  const logics = posted().map(({ body }) => (body as { logic: Logic }).logic);
  expect(logics.map((logic) => logicText(logic, PHRASE_CATALOG))).toEqual([
    'Last above EMA(20) 1D and Gap % above 3',
  ]);
});
