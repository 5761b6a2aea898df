import { computed } from '@preact/signals-react';
import { lazy, Suspense } from 'react';
import { isStripHidden } from '#subjects/glance/web/shared/stripChoice.ts';
import { meta } from '#web/live/market.ts';
import { withStyles } from '#web/shared/lateStyles.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import './GlancePlace.css';

/** After the rows of the table, and after the styles that it needs. */
const FETCH_AFTER_MS = 1500;

const GlanceStrip = lazy(async () => {
  await new Promise((done) => setTimeout(done, FETCH_AFTER_MS));
  // The scanner is of use without it.
  const code = await withStyles(import('#subjects/glance/web/shared/late.ts')).catch(() => null);
  return { default: code?.GlanceStrip ?? (() => null) };
});

const hasMarket = computed(() => meta.value !== null);

/** The line of the market above a scanner. Its code comes after the scanner; its place is kept, so that nothing moves. */
export function GlancePlace() {
  const isPhone = useWidthQuery('phone');
  if (isPhone || isStripHidden.value) return null;
  return (
    <aside className="glance-place" aria-label="Market">
      <Suspense>{hasMarket.value && <GlanceStrip />}</Suspense>
    </aside>
  );
}
