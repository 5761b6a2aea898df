import { afterEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Banner } from '../../../web/ui/Banner.tsx';
import { DialogSheet } from '../../../web/ui/DialogSheet.tsx';
import { LINE_HEIGHTS } from '../../../web/ui/lineHeights.ts';
import { LoadingOverlay } from '../../../web/ui/LoadingOverlay.tsx';
import { RadioGroup } from '../../../web/ui/RadioGroup.tsx';
import { TextField } from '../../../web/ui/TextField.tsx';
import { Tooltip } from '../../../web/ui/Tooltip.tsx';
import { Trend } from '../../../web/ui/Trend.tsx';
import { useLineHeights } from '../../../web/ui/useLineHeights.ts';
import { findings } from '../../support/axe.ts';
import { createTooltipButton } from '../../../web/ui/TooltipButton.tsx';

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
  rerender(<Banner variant="info">Saved</Banner>);
  expect(screen.queryAllByRole('button')).toHaveLength(0);
  expect(screen.getByRole('status').textContent).toBe('Saved');
});

test('a loading overlay says what is loading', () => {
  render(<LoadingOverlay label="Loading calls…" />);
  expect(screen.getByRole('status').textContent).toBe('Loading calls…');
});

test('a field ties its help and its error to its box', async () => {
  const { container, rerender } = render(<TextField label="Name" help="At most 32 letters." />);
  const box = screen.getByLabelText('Name');
  const described = () =>
    (box.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent);
  expect(described()).toEqual(['At most 32 letters.']);
  expect(box.hasAttribute('aria-invalid')).toBe(false);
  rerender(<TextField label="Name" help="At most 32 letters." error="It is taken." />);
  expect(described()).toEqual(['At most 32 letters.', 'It is taken.']);
  expect(box.getAttribute('aria-invalid')).toBe('true');
  expect(await findings(container)).toEqual([]);
});

test('a radio group has its name, and one choice at a time', async () => {
  const chosen: string[] = [];
  const options = [
    { id: 'dark', label: 'Dark' },
    { id: 'light', label: 'Light' },
  ];
  const { container } = render(
    <RadioGroup label="Theme" value="dark" options={options} onChoose={(id) => chosen.push(id)} />,
  );
  const group = screen.getByRole('group', { name: 'Theme' });
  expect(group.contains(screen.getByRole('radio', { name: 'Dark', checked: true }))).toBe(true);
  await userEvent.click(screen.getByRole('radio', { name: 'Light', checked: false }));
  expect(chosen).toEqual(['light']);
  expect(await findings(container)).toEqual([]);
});

test('a tooltip is its child’s description', async () => {
  const { container } = render(
    <Tooltip text="Login to access this section">
      <a href="#/login">Settings</a>
    </Tooltip>,
  );
  const link = screen.getByRole('link', { name: 'Settings' });
  const id = link.getAttribute('aria-describedby') ?? '';
  expect(screen.getByRole('tooltip').id).toBe(id);
  expect(await findings(container)).toEqual([]);
});

test('a trend says its direction by class; the text is the caller’s', () => {
  render(<Trend direction="up">up 3 days</Trend>);
  expect(screen.getByText('up 3 days').className).toBe('trend is-up');
});

test('a tooltip that is open closes when its mark comes to say something else', async () => {
  const mark = createTooltipButton(new Text('◆'));
  const say = (text: string) => mark.say({ label: 'News today', text, inTabOrder: true });
  const { container } = render(<p />);
  container.append(mark.element);
  say('Annual Report');
  await userEvent.hover(screen.getByRole('button', { name: 'News today' }));
  expect(screen.getByRole('tooltip').textContent).toBe('Annual Report');
  say('Trading Halt');
  expect(screen.queryByRole('tooltip')).toBeNull();
});

describe('the heights of a table’s lines', () => {
  const root = document.documentElement;
  const widths = window as unknown as { happyDOM: { setViewport(size: { width: number }): void } };
  afterEach(() => {
    cleanup();
    delete root.dataset.density;
    widths.happyDOM.setViewport({ width: 1440 });
  });

  test('follow the density attribute', async () => {
    const { result } = renderHook(useLineHeights);
    expect(result.current).toEqual(LINE_HEIGHTS.compact);
    await act(async () => {
      root.dataset.density = 'comfortable';
      await Bun.sleep(0);
    });
    expect(result.current).toEqual(LINE_HEIGHTS.comfortable);
  });

  test('can be touched on a phone, whatever the density', () => {
    root.dataset.density = 'comfortable';
    widths.happyDOM.setViewport({ width: 390 });
    const { result } = renderHook(useLineHeights);
    expect(result.current).toEqual(LINE_HEIGHTS.touch);
  });
});
