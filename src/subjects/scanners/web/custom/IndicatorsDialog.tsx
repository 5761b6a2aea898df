import PlusIcon from 'lucide-react/icons/plus';
import XIcon from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { hasValues, pickedIndicators } from '#subjects/conditions/web/shared/operands.ts';
import { AddIndicatorDialog } from '#web/shared/indicators/AddIndicatorDialog.tsx';
import { loadCatalogs, platformCatalog } from '#web/shared/indicators/catalog.ts';
import { CatalogProblem } from '#web/shared/indicators/CatalogProblem.tsx';
import { stocks } from '#web/live/market.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { changeError, dismissChangeError, selectedIndicators, selectIndicators } from './state.ts';
import { operandId, operandText, type Ref } from '#subjects/conditions/rules/operand.ts';

export function IndicatorsDialog({ onClose }: { onClose(): void }): ReactNode {
  const [isAdding, setAdding] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  const catalog = platformCatalog.value?.catalog ?? null;
  useEffect(() => void loadCatalogs(), []);
  return (
    <DialogSheet
      open
      title="Indicators"
      description="Shown as columns after the table’s own, and available in conditions."
      onClose={onClose}
      initialFocus={addButton}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <CatalogProblem />
      {changeError.value && <Banner onDismiss={dismissChangeError}>{changeError.value}</Banner>}
      <SelectedIndicators fallback={addButton} />
      <Button ref={addButton} onClick={() => setAdding(true)}>
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

function SelectedIndicators({ fallback }: { fallback: RefObject<HTMLElement | null> }): ReactNode {
  const selected = selectedIndicators.value;
  const catalog = platformCatalog.value?.catalog ?? null;
  const list = useRef<HTMLUListElement>(null);
  const remove = (indicator: Ref, index: number) => {
    flushSync(() => void selectIndicators(selected.filter((other) => other !== indicator)));
    focusNeighbour(list.current?.querySelectorAll('button') ?? [], index, fallback.current);
  };
  return (
    <>
      {selected.length === 0 && <p className="muted">No indicators chosen yet.</p>}
      <ul className="selected-indicators" ref={list}>
        {selected.map((indicator, index) => (
          <SelectedIndicator
            key={operandId(indicator)}
            indicator={indicator}
            label={operandText(indicator, catalog)}
            onRemove={() => remove(indicator, index)}
          />
        ))}
      </ul>
    </>
  );
}

type SelectedIndicatorProps = { indicator: Ref; label: string; onRemove(): void };

function SelectedIndicator({ indicator, label, onRemove }: SelectedIndicatorProps): ReactNode {
  return (
    <li className="cluster line-below">
      <span className="grow">{label}</span>
      {!hasValues(indicator, stocks.value) && <span className="muted">waiting for values</span>}
      <IconButton label={`Remove ${label}`} onClick={onRemove}>
        <XIcon size={15} aria-hidden />
      </IconButton>
    </li>
  );
}
