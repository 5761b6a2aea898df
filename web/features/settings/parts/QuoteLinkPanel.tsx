import './QuoteLinkPanel.css';
import { useState } from 'react';
import { QUOTE_LINKS } from '../../../../src/domain/market/quoteLink.ts';
import { saveQuoteSite, settings } from '../../../shared/settings.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { NativeSelect } from '../../../ui/NativeSelect.tsx';
import './QuoteLinkPanel.css';

/** Chooses the site that a stock's name in the tables links to. */
export function QuoteLinkPanel() {
  const loaded = settings.value;
  const [error, setError] = useState<string | null>(null);
  return (
    <section className="panel" aria-labelledby="quote-panel">
      <h2 id="quote-panel">Quote link preference</h2>
      <p className="muted">A stock’s name in the tables opens its page at this site.</p>
      <div className="quote-link-select">
        <NativeSelect
          label="Quote site"
          value={loaded?.quoteSite ?? 'none'}
          disabled={!loaded}
          options={QUOTE_LINKS}
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
