import type { Deps } from '../../deps.ts';
import { type DemoCall, demoCalls, DEMO_SUBMITTERS } from '../../domain/calls/demo.ts';
import { cancelledResult, implausibleReason, verifiedResult } from '../../domain/calls/verifiedResult.ts';
import { livePrice } from '../../domain/market/livePrice.ts';
import { addAccount } from '../accounts/service.ts';
import { fromState, toQuote } from './rows.ts';
import { callStore, type NewCallRow } from './store.ts';

function resultOf(demo: DemoCall): number | null {
  if (demo.closing === null) return null;
  const { call, state, closing } = demo;
  const result = demo.status === 'cancelled' ? cancelledResult : verifiedResult;
  return result(call, state, closing)?.percent ?? null;
}

function toRow(deps: Deps, demo: DemoCall, userId: number): NewCallRow {
  const { call, state, closing, pocketedValue } = demo;
  const stock = deps.market.get(demo.symbol);
  const reason =
    closing === null || pocketedValue === null
      ? null
      : implausibleReason(pocketedValue, call, state, closing);
  return {
    ...call,
    ...fromState(state),
    publicId: deps.randomToken(),
    userId,
    symbol: demo.symbol,
    status: demo.status,
    pocketedValue,
    closedAt: closing?.time ?? null,
    priceAtClose: closing?.price ?? null,
    verifiedPercent: resultOf(demo),
    adminStatus: reason === null ? 'normal' : 'review',
    reviewReason: reason,
    seen: stock ? toQuote(stock, deps.market.date()) : null,
  };
}

/** One call for the review queue: a gain that its prices could not have given. */
function withDoubt(history: DemoCall[]): DemoCall[] {
  const doubted = history.findIndex(
    ({ submitter, status, state, call }) =>
      submitter === 'LateMail' && status === 'closed' && (state.best ?? 0) <= call.entryPrice * 1.01,
  );
  return history.map((demo, index) => (index === doubted ? { ...demo, pocketedValue: 1840 } : demo));
}

/**
 * Test mode: submitters with a history of calls on the live list, so that the Calls page is alive. Runs once for a
 * database; the demo user's own calls are left empty.
 *
 * @param user the demo user; the submitters can log in no more than it can
 */
export function seedCalls(deps: Deps, user: { passwordHash: string }): void {
  const stocks = [...deps.market.all().values()].flatMap((stock) => {
    const last = livePrice(stock);
    return last === null || stock.securityType !== 'stock' ? [] : [{ code: stock.code, last }];
  });
  const history = withDoubt(demoCalls(deps.clock.now(), stocks));
  if (history.length === 0) return;
  const store = callStore(deps.db);
  const ids = new Map<string, number>();
  for (const { name } of DEMO_SUBMITTERS) {
    const added = addAccount(deps, { username: name, email: null, passwordHash: user.passwordHash });
    // The name is taken: they were seeded before, or somebody is really called that.
    if (!('ok' in added)) ids.set(name, added.id);
  }
  store.together(() => {
    for (const demo of history) {
      const userId = ids.get(demo.submitter);
      if (userId !== undefined) store.insert(toRow(deps, demo, userId));
    }
  });
  deps.calls.resume();
}
