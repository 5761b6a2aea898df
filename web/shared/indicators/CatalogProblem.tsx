import { catalogError, isCatalogLoading, loadCatalogs } from './catalog.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';

/** Says why an indicator catalog could not be loaded, with a Retry; nothing when both are loaded. */
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
