import type { Alert } from '../rules/alert.ts';
import type { Trigger } from '../rules/trigger.ts';
import { createInTurns } from '../../../lib/inTurns.ts';
import type { Log } from '../../../lib/log.ts';
import type { Indicators } from '../../indicators/server/service.ts';
import type { AlertStream } from './stream.ts';

export type AfterTriggersDeps = {
  stream: Pick<AlertStream, 'triggered' | 'changed'>;
  indicators: Pick<Indicators, 'alertsChanged' | 'hasAlertValues'>;
  /** Has on disk what these users' triggers change of their alerts. @throws what the database throws */
  applyDeferred(userIds: readonly number[]): void;
  /** Runs a function after other work had its turn. */
  later(run: () => void): void;
  log: Log;
};

/** In a gap thousands fire in one tick, which must not wait until all windows are told. */
const MAX_TOLD_AT_ONCE = 100;
/** With fifty alerts each, the values of twenty users take some milliseconds to be worked out. */
const MAX_USERS_A_TICK = 20;

/** What follows from triggers that are on disk: windows are told, and what an alert read that is off now is let go. */
export function createAfterTriggers({ stream, indicators, applyDeferred, later, log }: AfterTriggersDeps) {
  const usersWithLess = new Set<number>();
  const telling = createInTurns<Trigger>({
    each: stream.triggered,
    atOnce: MAX_TOLD_AT_ONCE,
    failure: 'Windows could not be told of triggers',
    later,
    log,
  });

  /** An alert of the user was switched off. */
  function lessRead(userId: number): void {
    if (indicators.hasAlertValues(userId)) usersWithLess.add(userId);
  }

  return {
    triggered(triggers: readonly Trigger[]): void {
      for (const { userId, deactivated } of triggers) if (deactivated) lessRead(userId);
      telling.add(triggers);
    },

    /** Alerts were stopped that had not fired. */
    stopped(alerts: readonly Pick<Alert, 'userId' | 'id' | 'symbol'>[]): void {
      for (const { userId, id, symbol } of alerts) {
        lessRead(userId);
        stream.changed(userId, id, symbol);
      }
    },

    /** Tells nobody any more: who comes back to the next run is told then. */
    stop: telling.clear,

    /** To be called at every tick: a part of what is not read any more is let go. */
    releaseUnread(): void {
      if (usersWithLess.size === 0) return;
      const some = [...usersWithLess].slice(0, MAX_USERS_A_TICK);
      try {
        applyDeferred(some);
      } catch {
        // The engine tries again at every tick, and says so.
        return;
      }
      for (const userId of some) usersWithLess.delete(userId);
      indicators.alertsChanged(some);
    },
  };
}
