import { describe, expect, test } from 'bun:test';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { CatalogStatus } from '../../../../src/admin/catalog/web/CatalogStatus.tsx';
import { ManualQuestion } from '../../../../src/admin/question/web/ManualQuestion.tsx';
import { findings } from '../../../support/axe.ts';
import { adminApi } from '../../../support/adminApi.ts';

const ASK = 'POST /api/admin/askai';
const STATUS = 'GET /api/admin/indicators/catalog/tv/status';
const REFRESH = 'POST /api/admin/indicators/catalog/tv/refresh';

const server = adminApi(() => ({}));
const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('a manual question', () => {
  const question = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Question' });
  const level = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Access Level' });
  const ask = () => click('Generate Response');

  test('shows the response as text with what it took, and keeps what was typed', async () => {
    const meta = {
      ...{ model: 'llama', promptTokens: 1234, completionTokens: 56, ms: 789, level: 2 },
      tools: [
        { name: 'get_price', arguments: {}, ms: 3, ok: true },
        { name: 'search_news', arguments: '', ms: 4, ok: false },
      ],
    };
    server.answers[ASK] = { body: { response: '<b>BHP</b>\nrose', meta } };
    render(<ManualQuestion />);
    await userEvent.type(question(), 'What moved?');
    await userEvent.clear(level());
    await userEvent.type(level(), '2');
    await ask();
    const answer = await screen.findByRole('region', { name: 'Response' });
    expect(answer.querySelector('p')?.textContent).toBe('<b>BHP</b>\nrose');
    expect([...answer.querySelectorAll('dl div')].map((line) => line.textContent)).toEqual([
      'Modelllama',
      'Access level2',
      'Tokens1,234 in, 56 out',
      'Time789 ms',
      'Toolsget_price (3 ms), search_news (4 ms) failed',
    ]);
    expect(server.calls[0]?.body).toEqual({ question: 'What moved?', forceAccessLevel: 2 });
    expect(question().value).toBe('What moved?');
    expect(await findings(document.body)).toEqual([]);
  });
});

describe('the indicator catalog', () => {
  const fetchedAt = Date.UTC(2026, 10, 18, 3, 4);

  test('that could not be loaded can be tried again, and refreshed', async () => {
    server.answers[STATUS] = { status: 500, body: {} };
    render(<CatalogStatus />);
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Failed to load TradingView catalog status',
    );
    server.answers[STATUS] = { body: { fetchedAt, totalIndicators: 12 } };
    await click('Retry');
    expect(await screen.findByText('12')).toBeTruthy();
    server.answers[REFRESH] = { status: 500, body: {} };
    await click('Refresh');
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to refresh TradingView catalog');
    expect(screen.getByText('12')).toBeTruthy();
    server.answers[REFRESH] = { body: { fetchedAt, totalIndicators: 13 } };
    await click('Refresh');
    expect(await screen.findByText('13')).toBeTruthy();
    expect(screen.queryByRole('alert') === null).toBe(true);
  });
});
