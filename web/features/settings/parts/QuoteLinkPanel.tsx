import './QuoteLinkPanel.css';
import { useState } from 'react';
import { QUOTE_SITES } from '../../../../src/domain/market/quoteLink.ts';
import { saveQuoteSite, settings } from '../../../shared/settings.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { NativeSelect } from '../../../ui/NativeSelect.tsx';

/** Where a stock's name in the tables leads. */
export function QuoteSitePanel() {
  const known = settings.value;
  const [error, setError] = useState<string | null>(null);
  return (
    <section className="panel" aria-labelledby="quote-panel">
      <h2 id="quote-panel">Quote link preference</h2>
      <p className="muted">A stock’s name in the tables opens its page at this site.</p>
      <div className="quote-select">
        <NativeSelect
          label="Quote site"
          value={known?.quoteSite ?? 'none'}
          disabled={!known}
          options={QUOTE_SITES}
          onChoose={(site) => {
            setError(null);
            void saveQuoteSite(site).then(setError);
          }}
        />
      </div>
      {error && <Banner onDismiss={() => setError(null)}>{error}</Banner>}
    </section>
  );
}
