import type { LeaderboardAnswer, OwnCall } from '#subjects/calls/rules/types.ts';
import type { TestApp } from './testApp.ts';

/** A call that can be submitted after `list` was given prices. */
export const BOUGHT = {
  symbol: 'bhp ',
  callType: 'bought',
  entryPrice: 40,
  targetPrice: 44,
  stopLossType: 'HARD',
  stopLoss: 38,
};

/** Lists BHP and CBA, both trading at 40. */
export function list(app: TestApp): void {
  const known = { status: 'Open' as const, open: 40, high: 40, low: 40, last: 40, close: 39.5, volume: 100 };
  app.source.apply([
    { code: 'BHP', name: 'BHP GROUP', ...known },
    { code: 'CBA', name: 'COMMONWEALTH BANK', ...known },
  ]);
  app.tick.run();
}

/** One trade, a second later, processed by a tick. */
export function trade(app: TestApp, code: string, last: number): void {
  app.clock.advance(1000);
  app.source.apply([{ code, last, volume: (app.parts.market.service.get(code)?.volume ?? 0) + 10 }]);
  app.tick.run();
}

/** Submits a call for a role. @returns its public id */
export async function submit(
  app: TestApp,
  as: 'free' | 'basic' | 'premium' | 'admin' = 'free',
  change: object = {},
) {
  const answer = await app.request('POST', '/api/calls', { as, body: { ...BOUGHT, ...change } });
  if (answer.status !== 200) throw new Error(answer.text);
  return (answer.json as { publicId: string }).publicId;
}

/** The leaderboard as a role sees it. */
export const board = async (app: TestApp, as: 'guest' | 'free' | 'admin' = 'guest') =>
  (await app.request('GET', '/api/calls/leaderboard', { as })).json as LeaderboardAnswer;

/** The free user’s own calls. */
export const mine = async (app: TestApp): Promise<OwnCall[]> =>
  ((await app.request('GET', '/api/calls/mine', { as: 'free' })).json as { calls: OwnCall[] }).calls;

export async function end(app: TestApp, publicId: string, act: 'close' | 'cancel'): Promise<void> {
  const body = act === 'close' ? { pocketedValue: 0 } : {};
  const answer = await app.request('POST', `/api/calls/${publicId}/${act}`, { as: 'free', body });
  if (answer.status !== 200) throw new Error(answer.text);
}

/** One call as everyone sees it. */
export async function shown(app: TestApp, publicId: string) {
  const call = (await board(app)).calls.find((one) => one.publicId === publicId);
  if (!call) throw new Error('The board does not show the call.');
  return call;
}
