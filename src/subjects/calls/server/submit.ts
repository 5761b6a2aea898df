import { checkCall, type SentCall } from '../rules/callRules.ts';
import { startTracking } from '../rules/tracker.ts';
import type { OwnCall } from '../rules/types.ts';
import { submissionPrice } from '../rules/verifiedResult.ts';
import { accepted } from '../../../platform/http/errors.ts';
import type { CallsDeps, Submitter } from './deps.ts';
import { refuseTooMany } from './limits.ts';
import { startWatch } from '../rules/watch.ts';
import { fromState, toOwnCall } from './rows.ts';
import { quoteNow } from './tracker/watchStore.ts';

/**
 * Stores a call with the server's time, the source and the last price, and follows it from then on.
 *
 * @throws AppError 400 with the first fault in the specification's order, 429 over a limit
 */
export function submitCall(deps: CallsDeps, user: Submitter, sent: SentCall): OwnCall {
  const { store, market } = deps;
  const call = accepted(checkCall(sent, market.all()));
  const now = deps.clock.now();
  refuseTooMany(store, user, call.symbol, now);
  const stock = market.get(call.symbol);
  const tracked = {
    ...call,
    submittedAt: now,
    priceAtSubmission: stock ? submissionPrice(stock) : null,
  };
  const row = store.insert({
    ...tracked,
    ...fromState(startTracking(tracked)),
    publicId: deps.randomToken(),
    userId: user.id,
    source: deps.source.name,
    status: call.callType === 'bought' ? 'open' : 'pending',
    watch: stock ? startWatch(quoteNow(deps, stock)) : null,
  });
  deps.tracker.add(row);
  deps.leaderboard.changed([user.id]);
  return toOwnCall({ ...row, username: user.username }, deps.contextOf([row]));
}
