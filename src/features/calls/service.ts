import {
  CALL_LIMITS,
  CALL_MESSAGES,
  closeError,
  hasKnownTypes,
  isLive,
  type SentCall,
  submitError,
  toStorable,
} from '../../domain/calls/callRules.ts';
import { startTracking } from '../../domain/calls/tracker.ts';
import type { AdminCall, AdminStatus, OwnCall } from '../../domain/calls/types.ts';
import {
  cancelledResult,
  type Closing,
  implausibleReason,
  priceAtPosting,
  verifiedResult,
} from '../../domain/calls/verifiedResult.ts';
import { fromSydney, sydneyDate } from '../../domain/market/sydneyTime.ts';
import { livePrice } from '../../domain/market/livePrice.ts';
import { AppError } from '../../http/errors.ts';
import type { ChangeSet, Market } from '../../market/types.ts';
import type { Core } from '../../part.ts';
import { type Audience, createBoard, type EncodedAnswer } from './board.ts';
import { fromState, toAdminCall, toOwnCall, toQuote, toState, toTracked } from './rows.ts';
import { type CallChange, type CallRow, callStore, type NewCallRow } from './store.ts';
import { createCallTracker } from './tracker.ts';

/** What calls use of the core. */
export type CallsCore = Pick<Core, 'db' | 'clock'> & {
  source: Pick<Core['source'], 'days' | 'delayMinutes'>;
};

export type CallsServiceNeeds = {
  market: Pick<Market, 'get' | 'all' | 'date'>;
  randomToken(): string;
};

/** The caller, as far as calls need to know. */
export type Submitter = { id: number; username: string };

/**
 * Everything that is done with calls: submitting, closing, cancelling, moderating, showing, and following their
 * prices. One of these per process, as it keeps the followed calls and the leaderboard's bytes.
 */
export function createCallsService(core: CallsCore, needs: CallsServiceNeeds) {
  const deps = { clock: core.clock, source: core.source, ...needs };
  const store = callStore(core.db);
  const board = createBoard({ store, clock: deps.clock });
  const tracker = createCallTracker({ ...deps, store, changed: board.changed });

  const ownLive = (user: Submitter, publicId: string): CallRow => {
    const row = store.byPublicId(publicId);
    if (!row || row.userId !== user.id) throw new AppError(404, 'There is no such call among yours.');
    if (!isLive(row.status)) {
      throw new AppError(409, `This call was ${row.status} already. Reload to see how it stands.`);
    }
    return row;
  };

  const refuseTooMany = (user: Submitter, symbol: string, now: number): void => {
    const { perDay, openPerSymbol } = CALL_LIMITS;
    if (store.countSince(user.id, fromSydney(sydneyDate(now), 0, 0)) >= perDay) {
      throw new AppError(429, `You have submitted ${perDay} calls today. Submit more tomorrow.`);
    }
    if (store.countLive(user.id, symbol) >= openPerSymbol) {
      const text = `You have ${openPerSymbol} pending or open calls on ${symbol}. Close or cancel one first.`;
      throw new AppError(429, text);
    }
  };

  /** Brings the call up to date, then lets `decide` say what ends it. */
  const end = (
    user: Submitter,
    row: CallRow,
    decide: (closing: Closing, row: CallRow) => CallChange,
  ): OwnCall => {
    const state = tracker.settle(row.id) ?? toState(row);
    const current: CallRow = { ...row, ...fromState(state), trackingPaused: pausedNow(row) };
    const price = livePrice(deps.market.get(row.symbol));
    const closing = { time: deps.clock.now(), price };
    const ended = store.update(row.id, {
      ...fromState(state),
      closedAt: closing.time,
      priceAtClose: price,
      ...decide(closing, current),
    });
    tracker.remove(row.id);
    board.changed([row.userId]);
    return toOwnCall({ ...ended, username: user.username });
  };

  const pausedNow = (row: CallRow): string | null => store.byPublicId(row.publicId)?.trackingPaused ?? null;

  return {
    /** The leaderboard and the recent calls as bytes; administrators get more of each call. */
    leaderboard: (audience: Audience): EncodedAnswer => board.answer(audience),

    /** A person's own calls, newest first, as the tracker sees them now. */
    mine(user: Submitter): OwnCall[] {
      return store.ofUser(user.id).map((row) => {
        const state = tracker.stateOf(row.id);
        return toOwnCall(state === null ? row : { ...row, ...fromState(state) });
      });
    },

    /**
     * Stores a call with the server's time and the last price.
     *
     * @throws AppError 400 with the first fault in the specification's order, 429 over a limit
     */
    submit(user: Submitter, input: SentCall): OwnCall {
      const error = submitError(input, deps.market.all());
      if (error !== null || !hasKnownTypes(input)) throw new AppError(400, error ?? CALL_MESSAGES.callType);
      const call = toStorable(input);
      const now = deps.clock.now();
      refuseTooMany(user, call.symbol, now);
      const stock = deps.market.get(call.symbol);
      const priceAtSubmission = stock ? priceAtPosting(stock) : null;
      const tracked = { ...call, submittedAt: now, priceAtSubmission };
      const row: NewCallRow = {
        ...tracked,
        ...fromState(startTracking(tracked)),
        publicId: deps.randomToken(),
        userId: user.id,
        status: call.callType === 'bought' ? 'open' : 'pending',
        seen: stock ? toQuote(stock, deps.market.date()) : null,
      };
      const stored = store.insert(row);
      tracker.add(stored);
      board.changed([user.id]);
      return toOwnCall({ ...stored, username: user.username });
    },

    /**
     * Closes a call with what its owner pocketed, and fixes the verified result beside it. A value that the recorded
     * prices could not have given waits for an administrator.
     *
     * @param pocketedValue AUD; null when nothing usable was sent
     * @throws AppError 404 for another's call, 409 for one that ended, 400 for an unusable value
     */
    close(user: Submitter, publicId: string, pocketedValue: number | null): OwnCall {
      const row = ownLive(user, publicId);
      const error = closeError(pocketedValue);
      if (error !== null || pocketedValue === null) throw new AppError(400, error ?? '');
      return end(user, row, (closing, current) => {
        const [call, state] = [toTracked(current), toState(current)];
        if (current.trackingPaused !== null) return { status: 'closed', pocketedValue };
        const reason = implausibleReason(pocketedValue, call, state, closing);
        return {
          status: 'closed',
          pocketedValue,
          verifiedPercent: verifiedResult(call, state, closing)?.percent ?? null,
          ...(reason === null || current.adminStatus === 'rejected'
            ? {}
            : { adminStatus: 'review' as const, reviewReason: reason }),
        };
      });
    },

    /**
     * Cancels a call. One that filled keeps its verified result unless it is taken back at once.
     *
     * @throws AppError 404 for another's call, 409 for one that ended
     */
    cancel(user: Submitter, publicId: string): OwnCall {
      return end(user, ownLive(user, publicId), (closing, current) => ({
        status: 'cancelled',
        verifiedPercent:
          current.trackingPaused === null
            ? (cancelledResult(toTracked(current), toState(current), closing)?.percent ?? null)
            : null,
      }));
    },

    /**
     * An administrator's word on a call: normal, rejected, or back to review.
     *
     * @throws AppError 404 when there is no such call
     */
    setAdminStatus(publicId: string, adminStatus: AdminStatus): AdminCall {
      const row = store.byPublicId(publicId);
      if (!row) throw new AppError(404, 'There is no such call.');
      const updated = store.update(row.id, { adminStatus });
      board.changed([row.userId]);
      return toAdminCall({ ...updated, username: row.username });
    },

    /** Takes up calls that are in the database and not followed yet: those of an earlier run, or of seeding. */
    resume(): void {
      tracker.resume();
      board.forget();
    },
    /** One tick of the Market; hand it to the tick loop as a listener. */
    track: (changes: ChangeSet | null): void => tracker.track(changes),
    /** Writes what is not on disk yet; to be called before the database closes. */
    flush: (): void => tracker.flush(),
    /** How many calls are followed, on how many symbols, and how many wait to be written. */
    counts: () => tracker.counts(),
  };
}

export type Calls = ReturnType<typeof createCallsService>;
