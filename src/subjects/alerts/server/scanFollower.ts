import { scanRefs, withScanNames } from '../../conditions/rules/savedScan.ts';
import type { AlertsDeps } from './deps.ts';
import { toAlert } from './store.ts';

/**
 * Makes the function that is to be called after a user changed, renamed or deleted a saved scan: the alerts that read it
 * go on with the scan as it is now, and the windows that show them are told. What an alert is does not change by that, so
 * its version stays.
 */
export function createScanFollower({ store, engine, indicators, changed }: AlertsDeps) {
  return (userId: number, scanId: number): void => {
    engine.applyDeferred([userId]);
    const reading = store
      .ofUser(userId)
      .filter(({ logic }) => scanRefs(logic).some(({ id }) => id === scanId));
    if (reading.length === 0) return;
    const scanOf = indicators.scansOf(userId);
    for (const row of reading) {
      const logic = withScanNames(row.logic, scanOf);
      const named = Bun.deepEquals(logic, row.logic) ? row : store.update(userId, row.id, { logic });
      if (!named) continue;
      engine.putWithScan(toAlert(named), scanId);
      changed(userId, row.id, row.symbol);
    }
    indicators.alertsChanged([userId]);
  };
}
