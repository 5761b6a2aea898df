import { expect, test } from 'bun:test';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Banner } from '../../web/ui/Banner.tsx';
import { DialogSheet } from '../../web/ui/DialogSheet.tsx';
import { LoadingOverlay } from '../../web/ui/LoadingOverlay.tsx';
import { findings } from '../support/axe.ts';

test('a dialog takes the focus, has its name, and closes with Escape and with its cross', async () => {
  let closed = 0;
  const { baseElement } = render(
    <DialogSheet
      open
      title="Submit Call"
      description="Everyone sees it."
      onClose={() => {
        closed += 1;
      }}
      footer={<button type="button">Submit</button>}
    >
      <input aria-label="Symbol" />
    </DialogSheet>,
  );
  const dialog = await screen.findByRole('dialog', { name: 'Submit Call' });
  expect(dialog.contains(screen.getByLabelText('Symbol'))).toBe(true);
  expect(await findings(baseElement)).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(closed).toBe(2);
});

test('a banner that can be dismissed says so; one that can not has no cross', async () => {
  let dismissed = false;
  const { rerender } = render(
    <Banner
      onDismiss={() => {
        dismissed = true;
      }}
    >
      Failed to save
    </Banner>,
  );
  expect(screen.getByRole('alert').textContent).toContain('Failed to save');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(dismissed).toBe(true);
  rerender(<Banner look="info">Saved</Banner>);
  expect(screen.queryAllByRole('button')).toHaveLength(0);
  expect(screen.getByRole('status').textContent).toBe('Saved');
});

test('a loading overlay says what is loading', () => {
  render(<LoadingOverlay label="Loading calls…" />);
  expect(screen.getByRole('status').textContent).toBe('Loading calls…');
});
