import { Button } from '../../../ui/Button.tsx';
import type { StateSection } from './readState.ts';
import { StateFigures } from './StateFigures.tsx';
import './StateTable.css';

type StateTableProps = { sections: readonly StateSection[]; onInspect(section: StateSection): void };

/** The parts of the server that can be looked into. */
export const StateTable = ({ sections, onInspect }: StateTableProps) => (
  <table className="state-table">
    <caption className="visually-hidden">Parts of the server</caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Type</th>
        <th scope="col">Stats</th>
        <th scope="col">Inspect</th>
      </tr>
    </thead>
    <tbody>
      {sections.map((section) => (
        <tr key={section.key}>
          <th scope="row" title={section.description}>
            {section.label}
          </th>
          <td data-heading="Type">{section.type}</td>
          <td data-heading="Stats">
            {section.error === null ? (
              <StateFigures stats={section.stats} />
            ) : (
              <span className="state-table-error">{section.error}</span>
            )}
          </td>
          <td className="state-table-action">
            <Button aria-label={`Inspect ${section.label}`} onClick={() => onInspect(section)}>
              Inspect
            </Button>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
