import { catalogError, isCatalogLoading, loadCatalogs } from './catalog.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';

/** Why an indicator catalog is missing, with a Retry; nothing while none is. */
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
