import { useState } from 'react';
import { DASH, formatNumber } from '#texts/format.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { catalogStatus } from '#subjects/indicators/answers/catalog.ts';
import { messageOf, readerOf, request } from '#web/api/client.ts';
import { Banner } from '#ui/Banner.tsx';
import { FactList, whenText } from '#admin/web/parts/RecordTable.tsx';
import { LoadedBody, SectionTools } from '#admin/web/parts/LoadedBody.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';

const readStatus = readerOf(catalogStatus);
const fetchStatus = () => request('GET /api/admin/indicators/catalog/tv/status', { read: readStatus });

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
