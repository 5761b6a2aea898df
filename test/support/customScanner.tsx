import { afterEach, beforeEach, expect } from 'bun:test';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Condition, Logic } from '../../src/subjects/conditions/rules/condition.ts';
import type { Ref } from '../../src/subjects/conditions/rules/operand.ts';
import type { Stock } from '../../src/market/rules/stock.ts';
import { CustomScanner } from '../../src/subjects/scanners/web/custom/CustomScanner.tsx';
import { forgetCatalogs } from '../../src/subjects/indicators/web/shared/catalog.ts';
import { startLive } from '../../web/live/market.ts';
import { fromSnapshot } from '../../web/live/stream/marketState.ts';
import type { ToWindow } from '../../web/live/stream/protocol.ts';
import { endSession, startSession } from '../../src/subjects/accounts/web/shared/session/session.ts';
import { aStock } from './aStock.ts';
import { CATALOGS } from './catalogs.ts';
import { fakeApi } from './fakeApi.ts';
import { giveLayout } from './layout.ts';
import { aMeta } from './market.ts';

type Body = { name: string; logic: Logic };
export const EMA: Ref = {
  type: 'indicator',
  family: 'ema',
  params: { length: '20' },
  tf: '60',
  key: 'ema_20',
  valueKey: 'now',
};
export const last = { type: 'field', key: 'last' } as const;
export const over = (value: number): Condition => ({ lhs: last, op: '>', rhs: { type: 'number', value } });
export const scanOf = (id: number, name: string, ...conditions: Condition[]) => ({
  id,
  name,
  logic: { op: 'AND' as const, conditions },
  createdAt: 1,
  updatedAt: 1,
  lists: null,
  problem: null as string | null,
});

type Server = ReturnType<typeof fakeApi>;
let server: Server;
let takeLayout: () => void;
let stopLive: () => void;
let receive: (message: ToWindow) => void = () => {};

export const priced = (code: string, price: number, ema: number | null = null): Stock =>
  aStock({
    code,
    last: price,
    value: 1e6 * price,
    indicators: ema === null ? {} : { '60': { ema_20: { now: ema } } },
  });
export const market = (...stocks: Stock[]) =>
  act(() =>
    receive({
      type: 'state',
      connection: 'live',
      state: fromSnapshot(
        {
          stocks: Object.fromEntries(stocks.map((stock) => [stock.code, stock])),
          meta: aMeta({ stockCount: stocks.length }),
          fx: { data: {}, lastUpdated: null },
        },
        Date.now(),
      ),
    }),
  );
const three = () => market(priced('AAA', 1), priced('BBB', 2), priced('CCC', 3));

function begin(): void {
  takeLayout = giveLayout();
  let next = 100;
  server = fakeApi({
    ...CATALOGS,
    'GET /api/indicators/prefs': { body: { prefs: { refs: [] } } },
    'POST /api/indicators/prefs': ({ body }) => ({ body }),
    'GET /api/indicators/scans': { body: { scans: [scanOf(1, 'Over two', over(2))] } },
    'POST /api/indicators/scans': ({ body }) => {
      const { name, logic } = body as Body;
      next += 1;
      return { body: { scan: { id: next, name, logic, createdAt: 1, updatedAt: next } } };
    },
    'PUT /api/indicators/scans/1': ({ body }) => {
      const { name, logic } = body as Body;
      return { body: { scan: { id: 1, name, logic, createdAt: 1, updatedAt: 2 } } };
    },
    'DELETE /api/indicators/scans/1': { body: { success: true } },
  });
  forgetCatalogs();
  stopLive = startLive((given) => {
    receive = given;
    return () => {};
  });
  startSession({ accessToken: 't', accessLevel: 1 });
}

function end(): void {
  endSession();
  stopLive();
  server.restore();
  takeLayout();
}

/** What the server answers, by method and path; to be changed by a test before it opens the screen. */
export const answers = (): Server['answers'] => server.answers;

/** Gives every test of a file a server, a market and a signed-in user. */
export function onStage(): void {
  beforeEach(begin);
  afterEach(end);
}

/** Shows the custom scanner, before anything has been loaded. */
export const show = () =>
  render(
    <CustomScanner
      meta={aMeta()}
      connection="live"
      quoteLink="none"
      onConfigure={() => {}}
      onPopOut={null}
      onRetry={() => {}}
    />,
  );

/** Shows the custom scanner with three stocks. */
export const open = async () => {
  show();
  three();
  await waitFor(() => expect(button('New scan').disabled).toBe(false));
};
export const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
export const click = (name: string) => userEvent.click(button(name));
export const scanSelect = () => screen.getByLabelText<HTMLSelectElement>('Scan');
export const codes = () =>
  [...document.querySelectorAll<HTMLElement>('tr[data-id]')].map((row) => row.dataset.id).sort();
export const headers = () =>
  [...document.querySelectorAll('.table-sort-label')].map((label) => label.textContent);
export const editor = () => screen.findByRole('dialog');
export const closed = () => waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
export const posted = (path = '/api/indicators/scans') =>
  server
    .to(path)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, body }) => ({ method, body }));
