import type { ReactNode } from 'react';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { settings } from '../settings.ts';
import { catalogError, isCatalogLoading, loadCatalogs } from './catalog.ts';

/** Empty if both catalogs are loaded. */
export function CatalogProblem() {
  if (!catalogError.value) return null;
  return (
    <Banner
      action={
        <Button disabled={isCatalogLoading.value} onClick={() => void loadCatalogs()}>
          Retry
        </Button>
      }
    >
      {catalogError.value}
    </Banner>
  );
}

/** The plan's number of indicator values. @param showsUsed also shows how many are in use */
export function ValueUse({ showsUsed = false }: { showsUsed?: boolean }): ReactNode {
  const values = settings.value?.indicatorValues;
  if (!values) return null;
  const { limit, used } = values;
  return (
    <p className="muted">
      Your plan has {limit} different indicator values for columns, scans and alerts together
      {showsUsed && `; ${used} ${used === 1 ? 'is' : 'are'} in use`}.
      {showsUsed &&
        used > limit &&
        ' Alerts come first; whatever is over the limit waits. Nothing you saved is lost.'}
    </p>
  );
}
