import { act } from '@testing-library/react';
import type { Stock } from '#market/rules/stock.ts';
import type { StreamMeta } from '#market/rules/stream.ts';
import { startLive } from '#web/live/market.ts';
import { fromSnapshot } from '#web/live/stream/marketState.ts';
import type { Connection, FromWindow, ToWindow } from '#web/live/stream/protocol.ts';
import { aMeta } from './market.ts';

/** A window’s stream whose messages the test sends; stop() ends it. */
export function liveByHand(timers?: Parameters<typeof startLive>[1]) {
  const sent: FromWindow[] = [];
  let deliver: (message: ToWindow) => void = () => {};
  const stop = startLive((given) => {
    deliver = given;
    return (message) => sent.push(message);
  }, timers);
  const receive = (message: ToWindow) => act(() => deliver(message));
  return {
    sent,
    stop,
    receive,
    connect: (connection: Connection) => receive({ type: 'connection', connection }),
    /** A whole market of these stocks. */
    show(stocks: readonly Stock[], meta: Partial<StreamMeta> = {}) {
      const snapshot = {
        stocks: Object.fromEntries(stocks.map((stock) => [stock.code, { ...stock }])),
        meta: aMeta({ stockCount: stocks.length, ...meta }),
        fx: { data: {}, lastUpdated: null },
      };
      receive({ type: 'state', state: fromSnapshot(snapshot, Date.now()), connection: 'live' });
    },
  };
}
