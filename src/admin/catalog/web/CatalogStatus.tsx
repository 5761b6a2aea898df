import { DASH, formatNumber } from '#texts/format.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { catalogStatus } from '#subjects/indicators/answers/catalog.ts';
import { readerOf, request } from '#web/api/client.ts';
import { FactList, whenText } from '#admin/web/parts/RecordTable.tsx';
import { LoadedBody, SectionTools } from '#admin/web/parts/LoadedBody.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { RefusalBanner, useSending } from '#web/shared/useSending.tsx';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';

const readStatus = readerOf(catalogStatus);
const fetchStatus = () => request('GET /api/admin/indicators/catalog/tv/status', { read: readStatus });

export function CatalogStatus() {
  const loaded = useLoaded(fetchStatus, ADMIN_MESSAGES.loadCatalogStatus);
  const sending = useSending();
  const refresh = () =>
    sending.send(async () => {
      const refreshed = request('POST /api/admin/indicators/catalog/tv/refresh', { read: readStatus });
      loaded.set(await asAdminAction(refreshed));
    }, ADMIN_MESSAGES.refreshCatalog);
  return (
    <>
      <LoadedBody loaded={loaded} label="Loading catalog status…" rows={1}>
        {({ fetchedAt, totalIndicators }) => (
          <SectionTools isLoading={sending.isBusy} onRefresh={() => void refresh()}>
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
      <RefusalBanner sending={sending} />
    </>
  );
}
