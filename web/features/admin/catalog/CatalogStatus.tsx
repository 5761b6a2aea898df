import './CatalogStatus.css';
import { useState } from 'react';
import { formatDate, formatTime } from '../../../../src/domain/format.ts';
import { sydneyDate } from '../../../../src/domain/market/sydneyTime.ts';
import { MESSAGES } from '../../../../src/domain/messages.ts';
import { readCount, readTime } from '../../../../src/lib/read.ts';
import { api, messageOf, readAnswer, unwrap } from '../../../shared/api/client.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { LoadedBody } from '../parts/LoadedBody.tsx';
import { useLoaded } from '../parts/useLoaded.ts';

type Status = { fetchedAt: number | null; totalIndicators: number | null };

function readStatus(body: unknown): Status {
  const { fetchedAt, totalIndicators } = readAnswer(body);
  return { fetchedAt: readTime(fetchedAt), totalIndicators: readCount(totalIndicators) };
}

const tv = api.admin.indicators.catalog.tv;
const fetchStatus = (): Promise<Status> => unwrap(tv.status.get(), readStatus);

const momentText = (time: number): string => `${formatDate(sydneyDate(time))} ${formatTime(time)} Sydney`;

/** The charting platform's catalog of indicators: how many it has, when it was read, and the way to read it anew. */
export function CatalogStatus() {
  const loaded = useLoaded(fetchStatus, MESSAGES.admin.loadCatalogStatus);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const refresh = async () => {
    setBusy(true);
    setError(null);
    try {
      loaded.set(await unwrap(tv.refresh.post(), readStatus));
    } catch (problem) {
      setError(messageOf(problem, MESSAGES.admin.refreshCatalog));
    }
    setBusy(false);
  };
  return (
    <>
      <LoadedBody loaded={loaded} label="Loading catalog status…" rows={1}>
        {({ fetchedAt, totalIndicators }) => (
          <dl className="catalog-status">
            <div>
              <dt>Indicators</dt>
              <dd>{totalIndicators === null ? '–' : totalIndicators.toLocaleString('en-AU')}</dd>
            </div>
            <div>
              <dt>Fetched</dt>
              <dd>
                {fetchedAt === null ? (
                  '–'
                ) : (
                  <time dateTime={new Date(fetchedAt).toISOString()}>{momentText(fetchedAt)}</time>
                )}
              </dd>
            </div>
          </dl>
        )}
      </LoadedBody>
      {error !== null && <Banner onDismiss={() => setError(null)}>{error}</Banner>}
      <Button disabled={isBusy} onClick={() => void refresh()}>
        {isBusy ? 'Refreshing…' : 'Refresh'}
      </Button>
    </>
  );
}
