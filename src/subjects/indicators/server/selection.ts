import { checkRef, type Ref } from '../../conditions/rules/operand.ts';
import { within } from '../../../lib/fieldPath.ts';
import { accepted, AppError } from '../../../platform/http/errors.ts';
import type { CatalogKeeper } from './catalog.ts';
import type { UseLimits } from './limits.ts';
import type { IndicatorStore } from './store.ts';

const MAX_SELECTED = 60;

export type SelectionDeps = {
  store: Pick<IndicatorStore, 'refs' | 'saveRefs'>;
  catalog: Pick<CatalogKeeper, 'current'>;
  limits: UseLimits;
  userChanged(userId: number): void;
};

/** The indicators that a user chose for the custom scanner; on the wire they are called `refs`. */
export function createSelection({ store, catalog, limits, userChanged }: SelectionDeps) {
  return {
    /** What no longer exists is left out. */
    refs(userId: number): Ref[] {
      const saved = store.refs(userId);
      if (!Array.isArray(saved)) return [];
      return (saved as unknown[]).flatMap((ref) => {
        const checked = checkRef(catalog.current(), ref);
        return checked.ok ? [checked.value] : [];
      });
    },

    /** @throws AppError 400 naming what is unknown or too much, 429; nothing is saved then */
    saveRefs(userId: number, sent: readonly unknown[]): Ref[] {
      limits.countWrite(userId);
      if (sent.length > MAX_SELECTED) {
        throw new AppError(400, {
          field: 'refs',
          message: `At most ${MAX_SELECTED} indicators can be chosen.`,
        });
      }
      const current = catalog.current();
      const refs = sent.map((ref, index) => accepted(within(`refs[${index}]`, checkRef(current, ref))));
      limits.refuseTooMany(userId, 'refs', () => ({ refs }));
      store.saveRefs(userId, refs);
      userChanged(userId);
      return refs;
    },
  };
}
