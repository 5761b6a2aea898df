import { lazy, type ReactNode, Suspense } from 'react';
import { RetryBoundary } from '#web/shared/RetryBoundary.tsx';
import { withStyles } from '#web/shared/lateStyles.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import type { SizedPosition } from '#subjects/calls/rules/positionSize.ts';
import { chooseSize, sizeChoices } from '../shared/size/sizeChoices.ts';

const loadPart = () =>
  lazy(() => withStyles(import('../shared/size/SizePart.tsx')).then((code) => ({ default: code.SizePart })));
let SizePart = loadPart();

/** The size of the call's position, folded until it is asked for; how it was left is kept. */
export function SizeDisclosure({ position }: { position: SizedPosition }): ReactNode {
  const { isOpen } = sizeChoices.value;
  return (
    <Disclosure label="Position size" isOpen={isOpen} onToggle={(open) => chooseSize({ isOpen: open })}>
      {isOpen && (
        <RetryBoundary
          sentence="The position size could not be loaded. The call can be submitted without it."
          onRetry={() => {
            SizePart = loadPart();
          }}
        >
          <Suspense fallback={<p className="field-help">Loading the position size…</p>}>
            <SizePart position={position} />
          </Suspense>
        </RetryBoundary>
      )}
    </Disclosure>
  );
}
