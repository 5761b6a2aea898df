import PlusIcon from 'lucide-react/icons/plus';
import type { ReactNode } from 'react';
import { Button } from '../../../../../web/ui/Button.tsx';
import './ConditionGroup.css';

type ConditionGroupProps = {
  /** Among the groups of the list, from 1. */
  number: number;
  /** Its conditions, as list items. */
  children: ReactNode;
  onAdd(): void;
  onRemove(): void;
};

/** A group of conditions of which one must hold. */
export function ConditionGroup({ number, children, onAdd, onRemove }: ConditionGroupProps): ReactNode {
  const name = `group ${number}`;
  return (
    <li className="condition-group" aria-label={`Any of ${name}`}>
      <div className="condition-group-head">
        <span>Any of</span>
        <span className="condition-group-note">one of these is enough</span>
      </div>
      <ol className="condition-list" aria-label={`Conditions of ${name}, any of which must hold`}>
        {children}
      </ol>
      <div className="condition-group-foot">
        <Button onClick={onAdd} aria-label={`Add condition to ${name}`}>
          <PlusIcon size={15} aria-hidden />
          Add condition
        </Button>
        <Button variant="quiet" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove group
        </Button>
      </div>
    </li>
  );
}
