import { useState } from 'react';
import type { Refusal } from '../../../../src/lib/result.ts';
import { QUOTE_LINKS } from '../../../../src/domain/market/quoteLink.ts';
import { saveQuoteLink, settings } from '../../../shared/settings.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { NativeSelect } from '../../../ui/NativeSelect.tsx';
import './QuoteLinkPanel.css';

/** Chooses the site that a stock's name in the tables links to. */
export function QuoteLinkPanel() {
  const loaded = settings.value;
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  return (
    <section className="panel" aria-labelledby="quote-panel">
      <h2 id="quote-panel">Quote link preference</h2>
      <p className="muted">A stock’s name in the tables links to its page on this site.</p>
      <div className="quote-link-select">
        <NativeSelect
          label="Quote site"
          value={loaded?.quoteSite ?? 'none'}
          disabled={!loaded}
          options={QUOTE_LINKS}
          aria-invalid={refusal?.field === 'site' || undefined}
          onChoose={(quoteLink) => {
            setRefusal(null);
            void saveQuoteLink(quoteLink).then(setRefusal);
          }}
        />
      </div>
      {refusal && <Banner onDismiss={() => setRefusal(null)}>{refusal.message}</Banner>}
    </section>
  );
}
