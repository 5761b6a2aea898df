import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AddIndicatorDialog } from '../../../../src/subjects/indicators/web/shared/AddIndicatorDialog.tsx';
import { forgetCatalogs } from '../../../../src/subjects/indicators/web/shared/catalog.ts';
import type { PickerResult } from '../../../../src/subjects/indicators/web/shared/pickerResult.ts';
import { CATALOGS } from '../../../support/catalogs.ts';
import { fakeApi } from '../../../support/fakeApi.ts';

let server: ReturnType<typeof fakeApi>;
let added: PickerResult[];

beforeEach(() => {
  server = fakeApi({ ...CATALOGS });
  forgetCatalogs();
  added = [];
});
afterEach(() => server.restore());

const button = (name: string) => screen.getByRole('button', { name });
/** The parameters of the RSI, chosen in the picker. */
async function parameters(): Promise<HTMLElement> {
  render(
    <AddIndicatorDialog open multipleTimeframes onClose={() => {}} onAdd={(result) => added.push(result)} />,
  );
  await userEvent.type(await screen.findByRole('searchbox'), 'rsi{Enter}');
  return await screen.findByLabelText('Timeframe');
}
const timeframes = () =>
  added.flatMap((result) => (result.kind === 'indicator' ? result.choices.map(({ tf }) => tf) : []));

describe('several timeframes', () => {
  test('the one that is proposed gives way to the first that is chosen', async () => {
    await userEvent.selectOptions(await parameters(), '15m');
    await userEvent.click(button('Save'));
    expect(timeframes()).toEqual(['15']);
  });

  test('the one that is proposed can be kept, and chosen beside another', async () => {
    const select = await parameters();
    for (const label of ['15m', '1D']) await userEvent.selectOptions(select, label);
    await userEvent.click(button('Save'));
    expect(timeframes()).toEqual(['15', 'D']);
  });

  test('nothing chosen adds the proposed one', async () => {
    await parameters();
    await userEvent.click(button('Save'));
    expect(timeframes()).toEqual(['D']);
  });

  test('after one is taken out the focus is on its neighbour, then on the list', async () => {
    const select = await parameters();
    for (const label of ['15m', '1h', '1D']) await userEvent.selectOptions(select, label);
    await userEvent.click(button('Remove 1h'));
    expect(document.activeElement).toBe(button('Remove 1D'));
    await userEvent.click(button('Remove 1D'));
    expect(document.activeElement).toBe(button('Remove 15m'));
    await userEvent.click(button('Remove 15m'));
    expect(document.activeElement).toBe(select);
  });
});

test('the focus begins in the search box, then in the first parameter, and Back returns it', async () => {
  await parameters();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Length')));
  await userEvent.click(button('Back'));
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
});
