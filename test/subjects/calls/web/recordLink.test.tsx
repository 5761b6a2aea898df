import { afterEach, expect, test } from 'bun:test';
import { cleanup, render, screen } from '@testing-library/react';
import { RecordLink } from '../../../../src/subjects/calls/web/parts/RecordLink.tsx';

afterEach(cleanup);

test('a submitter’s name leads to their record, by Tab only where it is the row’s own way there', () => {
  const { rerender } = render(<RecordLink name="Sam" inTabOrder />);
  const link = () => screen.getByRole<HTMLAnchorElement>('link', { name: 'Sam' });
  expect(link().getAttribute('href')).toContain('Sam');
  expect(link().tabIndex).toBe(0);
  rerender(<RecordLink name="Sam" inTabOrder={false} />);
  expect(link().tabIndex).toBe(-1);
});
