import type { ReactNode } from 'react';
import { DASH } from '#texts/format.ts';
import { recordPath } from '../addresses.ts';

/** Longer names take up to three small lines of the cell. */
const MAX_ON_ONE_LINE = 16;

/** A submitter's name, whole in its cell; it may have 50 characters. */
const PersonName = ({ name }: { name: string }) => (
  <span className={name.length > MAX_ON_ONE_LINE ? 'person-name is-long' : 'person-name'} title={name}>
    {name}
  </span>
);

/** A submitter's name that opens their record. */
export const RecordLink = ({ name, inTabOrder }: { name: string; inTabOrder: boolean }): ReactNode =>
  name === DASH ? (
    <PersonName name={name} />
  ) : (
    <a className="touch" href={`#${recordPath(name)}`} tabIndex={inTabOrder ? 0 : -1}>
      <PersonName name={name} />
    </a>
  );
