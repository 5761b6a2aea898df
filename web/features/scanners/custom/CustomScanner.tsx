import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import type { Column } from '../../../../src/domain/scanners/columns.ts';
import { operandsOf } from '../../../../src/domain/conditions/condition.ts';
import { operandId, operandText } from '../../../../src/domain/conditions/operandText.ts';
import type { Operand } from '../../../../src/domain/conditions/operand.ts';
import type { Catalog } from '../../../../src/domain/indicators/types.ts';
import { operandColumn } from '../../../../src/domain/scanners/shownColumns.ts';
import type { Stock } from '../../../../src/domain/market/stock.ts';
import { loadCatalogs, platformCatalog } from '../../../shared/indicators/catalog.ts';
import { stocks } from '../../../shared/live/market.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ScannerScreen, type ScannerScreenProps } from '../ScannerScreen.tsx';
import { ScanBar } from './ScanBar.tsx';
import {
  activeScan,
  changeError,
  dismissChangeError,
  followScans,
  forgetScans,
  loadError,
  loadScans,
  refs,
  dropDraftRefs,
} from './state.ts';
import { hasValues, useMatches } from '../../../shared/conditions/useMatches.ts';

const ScanEditor = lazy(() =>
  import('./editor/ScanEditor.tsx').then((code) => ({ default: code.ScanEditor })),
);
const SelectionDialog = lazy(() =>
  import('./SelectionDialog.tsx').then((code) => ({ default: code.SelectionDialog })),
);

/** What is open over the table. */
type Open = { kind: 'editor'; id: number | null } | { kind: 'selection' } | null;

export type CustomScannerProps = Omit<
  ScannerScreenProps,
  'scanner' | 'stocks' | 'matches' | 'scope' | 'moreColumns' | 'emptyNote'
>;

/** The custom scanner: the table of all stocks, filtered by a scan of the user's own. */
export function CustomScanner(props: CustomScannerProps): ReactNode {
  const market = stocks.value;
  const scan = activeScan.value;
  const chosen = refs.value;
  const catalog = platformCatalog.value?.catalog ?? null;
  const [open, setOpen] = useState<Open>(null);
  useEffect(() => {
    void loadScans();
    const stop = followScans();
    return () => {
      stop();
      // Before it is forgotten: an editor that was open had borrowed values.
      void dropDraftRefs();
      forgetScans();
    };
  }, []);
  const logic = scan?.logic ?? null;
  const matches = useMatches(logic, market);
  const operands = useMemo(() => [...chosen, ...(logic ? operandsOf(logic) : [])], [chosen, logic]);
  const needsNames = operands.some(({ type }) => type === 'indicator');
  useEffect(() => {
    if (needsNames) void loadCatalogs();
  }, [needsNames]);
  const moreColumns = useMemo(
    () =>
      operands.map(
        (operand): Column => operandColumn(operandId(operand), operandText(operand, catalog), operand),
      ),
    [operands, catalog],
  );
  const close = () => setOpen(null);
  const waiting = logic ? waitingNote(operandsOf(logic), market, catalog) : null;

  return (
    <>
      <ScannerScreen
        {...props}
        scanner="custom"
        stocks={market}
        matches={matches}
        scope={scan ? `${scan.id} ${scan.updatedAt}` : ''}
        moreColumns={moreColumns}
        emptyNote={waiting}
        strip={
          <>
            <ScanBar
              count={matches?.size ?? null}
              total={market.size}
              isWaiting={waiting !== null}
              onNew={() => setOpen({ kind: 'editor', id: null })}
              onEdit={(id) => setOpen({ kind: 'editor', id })}
              onIndicators={() => setOpen({ kind: 'selection' })}
            />
            {loadError.value && (
              <Banner action={<Button onClick={() => void loadScans()}>Retry</Button>}>
                {loadError.value}
              </Banner>
            )}
            {changeError.value && <Banner onDismiss={dismissChangeError}>{changeError.value}</Banner>}
            {scan?.problem && (
              <Banner look="warn">
                This scan can’t match any more: {scan.problem} Edit it or delete it.
              </Banner>
            )}
            {props.strip}
          </>
        }
      />
      <Suspense fallback={null}>
        {open?.kind === 'editor' && <ScanEditor id={open.id} onClose={close} />}
        {open?.kind === 'selection' && <SelectionDialog onClose={close} />}
      </Suspense>
    </>
  );
}

/** Which values have not arrived at all; null when none is waited for. */
function waitingNote(
  operands: readonly Operand[],
  market: ReadonlyMap<string, Stock>,
  catalog: Catalog | null,
): string | null {
  const missing = operands.filter((operand) => !hasValues(operand, market));
  if (market.size === 0 || missing.length === 0) return null;
  return `Waiting for values of ${missing.map((operand) => operandText(operand, catalog)).join(', ')}.`;
}
