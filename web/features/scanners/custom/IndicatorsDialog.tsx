import PlusIcon from 'lucide-react/icons/plus';
import XIcon from 'lucide-react/icons/x';
import { type ReactNode, useEffect, useState } from 'react';
import { hasValues } from '../../../shared/conditions/hasValues.ts';
import { pickedIndicators } from '../../../shared/conditions/pickedOperands.ts';
import { AddIndicatorDialog } from '../../../shared/indicators/AddIndicatorDialog.tsx';
import { loadCatalogs, platformCatalog } from '../../../shared/indicators/catalog.ts';
import { CatalogProblem } from '../../../shared/indicators/CatalogProblem.tsx';
import { stocks } from '../../../shared/live/market.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { DialogSheet } from '../../../ui/DialogSheet.tsx';
import './IndicatorsDialog.css';
import { changeError, dismissChangeError, selectedIndicators, selectIndicators } from './state.ts';
import { operandId, operandText } from '../../../../src/domain/conditions/operandText.ts';
import type { Ref } from '../../../../src/domain/conditions/operand.ts';

/** Selects the indicators that the custom scanner shows after the columns of its table. */
export function IndicatorsDialog({ onClose }: { onClose(): void }): ReactNode {
  const [isAdding, setAdding] = useState(false);
  const catalog = platformCatalog.value?.catalog ?? null;
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
      <SelectedIndicators />
      <Button onClick={() => setAdding(true)}>
        <PlusIcon size={15} aria-hidden />
        Add Indicator
      </Button>
      <AddIndicatorDialog
        open={isAdding}
        multipleTimeframes
        onClose={() => setAdding(false)}
        onAdd={(result) =>
          void selectIndicators([...selectedIndicators.peek(), ...pickedIndicators(result, catalog)])
        }
      />
    </DialogSheet>
  );
}

function SelectedIndicators(): ReactNode {
  const selected = selectedIndicators.value;
  const catalog = platformCatalog.value?.catalog ?? null;
  return (
    <>
      {selected.length === 0 && <p className="muted">No indicators chosen yet.</p>}
      <ul className="selected-indicators">
        {selected.map((indicator) => (
          <SelectedIndicator
            key={operandId(indicator)}
            indicator={indicator}
            label={operandText(indicator, catalog)}
            onRemove={() => void selectIndicators(selected.filter((other) => other !== indicator))}
          />
        ))}
      </ul>
    </>
  );
}

type SelectedIndicatorProps = { indicator: Ref; label: string; onRemove(): void };

function SelectedIndicator({ indicator, label, onRemove }: SelectedIndicatorProps): ReactNode {
  return (
    <li>
      <span>{label}</span>
      {!hasValues(indicator, stocks.value) && <span className="muted">waiting for values</span>}
      <IconButton label={`Remove ${label}`} onClick={onRemove}>
        <XIcon size={15} aria-hidden />
      </IconButton>
    </li>
  );
}
