import PlusIcon from 'lucide-react/icons/plus';
import XIcon from 'lucide-react/icons/x';
import { type ReactNode, useEffect, useState } from 'react';
import { operandId, operandText } from '../../../../src/domain/conditions/operandText.ts';
import type { Ref } from '../../../../src/domain/conditions/operand.ts';
import { loadCatalogs, platformCatalog } from '../../../shared/indicators/catalog.ts';
import { stocks } from '../../../shared/live/market.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { DialogSheet } from '../../../ui/DialogSheet.tsx';
import { AddIndicatorDialog } from '../../../shared/indicators/AddIndicatorDialog.tsx';
import { refsOf } from '../../../shared/conditions/operands.ts';
import { changeError, chooseRefs, dismissChangeError, refs } from './state.ts';
import { hasValues } from '../../../shared/conditions/useMatches.ts';
import { CatalogProblem } from '../../../shared/indicators/CatalogProblem.tsx';

/** The indicators that stand behind the custom scanner's own columns. */
export function SelectionDialog({ onClose }: { onClose(): void }): ReactNode {
  const [isAdding, setAdding] = useState(false);
  const chosen = refs.value;
  const platform = platformCatalog.value;
  const catalog = platform?.catalog ?? null;
  useEffect(() => void loadCatalogs(), []);
  return (
    <DialogSheet
      open
      title="Indicators"
      description="These are shown as columns after those of the table, and offered in conditions."
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <CatalogProblem />
      {changeError.value && <Banner onDismiss={dismissChangeError}>{changeError.value}</Banner>}
      {chosen.length === 0 && <p className="muted">No indicators chosen yet.</p>}
      <ul className="selection">
        {chosen.map((ref) => (
          <Chosen
            key={operandId(ref)}
            ref_={ref}
            label={operandText(ref, catalog)}
            onRemove={() => void chooseRefs(chosen.filter((one) => operandId(one) !== operandId(ref)))}
          />
        ))}
      </ul>
      <Button onClick={() => setAdding(true)}>
        <PlusIcon size={15} aria-hidden />
        Add Indicator
      </Button>
      {isAdding && (
        <AddIndicatorDialog
          open
          several
          onClose={() => setAdding(false)}
          onAdd={(picked) => void chooseRefs([...chosen, ...refsOf(picked, catalog)])}
        />
      )}
    </DialogSheet>
  );
}

type ChosenProps = { ref_: Ref; label: string; onRemove(): void };

function Chosen({ ref_, label, onRemove }: ChosenProps): ReactNode {
  const isThere = hasValues(ref_, stocks.value);
  return (
    <li>
      <span>{label}</span>
      {!isThere && <span className="muted">waiting for values</span>}
      <IconButton label={`Remove ${label}`} onClick={onRemove}>
        <XIcon size={15} aria-hidden />
      </IconButton>
    </li>
  );
}
