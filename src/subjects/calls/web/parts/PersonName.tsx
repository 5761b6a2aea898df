import './PersonName.css';

/** Longer names take up to three small lines of the cell. */
const MAX_ON_ONE_LINE = 16;

/** A submitter's name, whole in its cell; it may have 50 characters. */
export const PersonName = ({ name }: { name: string }) => (
  <span className={name.length > MAX_ON_ONE_LINE ? 'person-name is-long' : 'person-name'} title={name}>
    {name}
  </span>
);
