import type { ReactNode } from 'react';
import { DASH } from '../../../../texts/format.ts';
import { recordPath } from '../addresses.ts';
import { PersonName } from './PersonName.tsx';
import './RecordLink.css';

/** A submitter's name that opens their record. */
export const RecordLink = ({ name, inTabOrder }: { name: string; inTabOrder: boolean }): ReactNode =>
  name === DASH ? (
    <PersonName name={name} />
  ) : (
    <a className="record-link" href={`#${recordPath(name)}`} tabIndex={inTabOrder ? 0 : -1}>
      <PersonName name={name} />
    </a>
  );
