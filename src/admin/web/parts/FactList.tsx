import type { ReactNode } from 'react';

type FactListProps = { facts: readonly (readonly [name: string, value: ReactNode])[] };

/** A few facts side by side, each below its name. */
export const FactList = ({ facts }: FactListProps) => (
  <dl className="fact-list figures table-text">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
