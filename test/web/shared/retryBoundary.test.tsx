import { afterEach, expect, spyOn, test } from 'bun:test';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RetryBoundary } from '../../../web/shared/RetryBoundary.tsx';

afterEach(cleanup);

test('a part that fails says so, is tried again when asked, and leaves what is beside it', async () => {
  const logged = spyOn(console, 'error').mockImplementation(() => undefined);
  let isBroken = true;
  const Chart = () => {
    if (isBroken) throw new Error('Cannot update oldest data');
    return <p>A chart</p>;
  };
  render(
    <div>
      <RetryBoundary sentence="The chart of BHP could not be shown.">
        <Chart />
      </RetryBoundary>
      <p>News</p>
    </div>,
  );
  expect(screen.getByRole('alert').textContent).toContain('The chart of BHP could not be shown.');
  expect(screen.getByText('News')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(screen.getByRole('alert')).toBeDefined();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByText('A chart')).toBeDefined();
  expect(logged).toHaveBeenCalled();
  logged.mockRestore();
});
