import type { ReactNode } from 'react';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { settings } from '../settings.ts';
import { catalogError, isCatalogLoading, loadCatalogs } from './catalog.ts';

/** Why a catalog could not be loaded; empty if both are loaded. */
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
      {showsUsed
        ? `${used} of ${limit} indicator values in use`
        : `Your plan includes ${limit} indicator values`}{' '}
      (columns, scans and alerts).
      {showsUsed &&
        used > limit &&
        ' Alerts come first, and values over the limit wait. Nothing you saved is lost.'}
    </p>
  );
}
