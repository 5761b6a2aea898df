import { describe, expect, test } from 'bun:test';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { fromSydney } from '#lib/sydneyTime.ts';
import { TimeSlider } from '#subjects/replay/web/ReplayBar.tsx';
import { phasesBetween } from '#market/rules/replay.ts';

const at = (hour: number, minute: number): number => fromSydney('2026-01-19', hour, minute);

describe('the slider over a recording', () => {
  const show = (chosen: number[]) =>
    render(
      <TimeSlider
        from={at(9, 55) + 30_000}
        until={at(10, 30)}
        now={at(10, 1)}
        onChoose={async (time) => void chosen.push(time)}
      />,
    );

  test('shows its time and the phase of the exchange', () => {
    show([]);
    expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toBe('10:01 Sydney time, Open');
  });

  test('sends one request for its final position, and none before the recording', async () => {
    const chosen: number[] = [];
    show(chosen);
    const slider = screen.getByRole('slider');
    for (const minute of [3, 5, 7]) fireEvent.change(slider, { target: { value: String(at(10, minute)) } });
    expect(slider.getAttribute('aria-valuetext')).toBe('10:07 Sydney time, Open');
    await waitFor(() => expect(chosen).toEqual([at(10, 7)]));
    fireEvent.change(slider, { target: { value: String(at(9, 55)) } });
    await waitFor(() => expect(chosen).toEqual([at(10, 7), at(9, 55) + 30_000]));
  });
});

test('phases are clipped to the recording, over several days', () => {
  const spans = phasesBetween(at(15, 50), fromSydney('2026-01-20', 8, 0));
  expect(spans[0]).toEqual({ phase: 'open', since: at(15, 50), until: at(16, 0) });
  expect(spans.at(-1)).toEqual({
    phase: 'pre-open',
    since: fromSydney('2026-01-20', 7, 0),
    until: fromSydney('2026-01-20', 8, 0),
  });
});
