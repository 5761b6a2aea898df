import type { ReactNode } from 'react';
import { oddsPath, type OddsSubject } from './oddsPath.ts';

/** Opens the odds in a new tab, so that the form around the link keeps what was typed. */
export const OddsLink = (subject: OddsSubject): ReactNode => (
  <a className="touch" href={`#${oddsPath(subject)}`} target="_blank" rel="noopener">
    Does it work?<span className="visually-hidden"> Opens the odds in a new tab.</span>
  </a>
);
