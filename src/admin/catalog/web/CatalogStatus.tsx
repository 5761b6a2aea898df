import { useState } from 'react';
import { DASH, formatNumber } from '#texts/format.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { catalogStatus } from '#subjects/indicators/answers/catalog.ts';
import { request, messageOf } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { Banner } from '#ui/Banner.tsx';
import { FactList } from '#admin/web/parts/FactList.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { SectionTools } from '#admin/web/parts/SectionTools.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { whenText } from '#admin/web/parts/whenText.ts';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';

const readStatus = readerOf(catalogStatus);
const fetchStatus = () => request('GET /api/admin/indicators/catalog/tv/status', { read: readStatus });

/** The charting platform's catalog of indicators: how many it has, when it was read, and the way to read it again. */
export function CatalogStatus() {
  const loaded = useLoaded(fetchStatus, ADMIN_MESSAGES.loadCatalogStatus);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const refresh = async () => {
    setBusy(true);
    setError(null);
    try {
      loaded.set(
        await asAdminAction(
          'other',
          request('POST /api/admin/indicators/catalog/tv/refresh', { read: readStatus }),
        ),
      );
    } catch (problem) {
      setError(messageOf(problem, ADMIN_MESSAGES.refreshCatalog));
    }
    setBusy(false);
  };
  return (
    <>
      <LoadedBody loaded={loaded} label="Loading catalog status…" rows={1}>
        {({ fetchedAt, totalIndicators }) => (
          <SectionTools isLoading={isBusy} onRefresh={() => void refresh()}>
            <FactList
              facts={[
                ['Indicators', formatNumber(totalIndicators, 0)],
                [
                  'Fetched',
                  fetchedAt === null ? (
                    DASH
                  ) : (
                    <time dateTime={new Date(fetchedAt).toISOString()}>{whenText(fetchedAt)} Sydney</time>
                  ),
                ],
              ]}
            />
          </SectionTools>
        )}
      </LoadedBody>
      {error !== null && <Banner onDismiss={() => setError(null)}>{error}</Banner>}
    </>
  );
}
