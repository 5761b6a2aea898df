import type { StockUpdate } from '#market/rules/stock.ts';
import { startLive } from '#web/live/market.ts';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { fromSnapshot } from '#web/live/stream/marketState.ts';
import type { ToWindow, Watch } from '#web/live/stream/protocol.ts';
import { aMeta } from './market.ts';
import { createTestApp } from './testApp.ts';

type Failure = Response | 'offline' | null;
type Failing = ((request: Request) => Failure | Promise<Failure>) | null;

/** The real application behind the page’s fetch, with its market as the page’s live stream. */
export function openAppInPage() {
  const app = createTestApp();
  /** Requests that reached the application: 'POST /api/calls'. */
  const asked: string[] = [];
  const realFetch = globalThis.fetch;
  let failure: Failing = null;
  const viaApp = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request =
      input instanceof Request ? input : new Request(new URL(String(input), 'http://127.0.0.1:3000'), init);
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    const failed = (await failure?.(request)) ?? null;
    if (failed === 'offline') throw new TypeError('Failed to fetch');
    return failed ?? app.api.handle(request);
  };
  globalThis.fetch = Object.assign(viaApp, { preconnect: realFetch.preconnect });

  let watched: Watch | null = null;
  let receive: (message: ToWindow) => void = () => {};
  const stopLive = startLive((given) => {
    receive = given;
    return (message) => {
      if (message.type === 'watch') watched = message.watch;
    };
  });
  const show = (): void => {
    const stocks = Object.fromEntries(app.parts.market.service.all());
    const snapshot = {
      stocks,
      meta: aMeta({ stockCount: app.parts.market.service.all().size }),
      fx: { data: {}, lastUpdated: null },
    };
    receive({ type: 'state', connection: 'live', state: fromSnapshot(snapshot, app.clock.now()) });
  };

  return {
    app,
    asked,
    quote: (...updates: StockUpdate[]): void => {
      const { refused } = app.source.apply(updates);
      if (refused.length > 0) throw new Error(JSON.stringify(refused));
      app.tick.run();
      show();
    },
    /** Makes requests fail with an error or without a network, or makes them wait. Null stops that. */
    fail: (how: Failing) => void (failure = how),
    /** The stocks in the page’s latest watch message. */
    watched: () => watched,
    signIn: async (username: string): Promise<void> => {
      const accessToken = await app.tokenOf(await app.addUser(username));
      startSession({ accessToken, accessLevel: 1 });
    },
    close: (): void => {
      endSession();
      stopLive();
      globalThis.fetch = realFetch;
      app.close();
    },
  };
}

export type AppInPage = ReturnType<typeof openAppInPage>;

/** A listing in continuous trading at one price. */
export const listed = (code: string, last: number): StockUpdate => ({
  code,
  name: `${code} LIMITED`,
  status: 'Open',
  open: last,
  high: last,
  low: last,
  last,
  close: last,
  volume: 1000,
});
