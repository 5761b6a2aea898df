import { Button } from '../../../../web/ui/Button.tsx';
import { RecordTable } from '../../web/parts/RecordTable.tsx';
import type { StateSection } from './readState.ts';
import { StateFigures } from './StateFigures.tsx';
import './StateTable.css';

type StateTableProps = { sections: readonly StateSection[]; onInspect(section: StateSection): void };

const HEADINGS = ['Name', 'Type', 'Stats', 'Inspect'];

/** The parts of the server that can be looked into. */
export const StateTable = ({ sections, onInspect }: StateTableProps) => (
  <RecordTable label="Parts of the server" headings={HEADINGS}>
    {sections.map((section) => (
      <tr key={section.key}>
        <th scope="row" className="state-name" title={section.description}>
          {section.label}
        </th>
        <td className="state-type" data-heading="Type">
          {section.type}
        </td>
        <td data-heading="Stats">
          {section.error === null ? (
            <StateFigures stats={section.stats} />
          ) : (
            <span className="state-error">{section.error}</span>
          )}
        </td>
        <td className="record-actions">
          <Button aria-label={`Inspect ${section.label}`} onClick={() => onInspect(section)}>
            Inspect
          </Button>
        </td>
      </tr>
    ))}
  </RecordTable>
);
