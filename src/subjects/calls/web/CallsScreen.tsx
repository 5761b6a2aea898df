import { lazy, type ReactNode, Suspense } from 'react';
import { withStyles } from '#web/shared/lateStyles.ts';
import { currentHash, pageOf } from '#web/router/navigate.ts';
import { CALLS_PATH } from '#web/router/routes.ts';
import { LoadingOverlay } from '#ui/LoadingOverlay.tsx';
import { CallsPage } from './CallsPage.tsx';
import { NoSuchPage } from './parts/NoSuchPage.tsx';

const CallPage = lazy(async () => ({
  default: (await withStyles(import('./life/CallPage.tsx'))).CallPage,
}));
const RecordPage = lazy(async () => ({
  default: (await withStyles(import('./record/RecordPage.tsx'))).RecordPage,
}));

const LedgerPage = lazy(async () => ({
  default: (await withStyles(import('./ledger/LedgerPage.tsx'))).LedgerPage,
}));

/** The Calls page, a call of its own, a submitter's record, or the ledger, as the address says. */
export function CallsScreen(): ReactNode {
  const [first, second, ...more] = pageOf(currentHash.value, CALLS_PATH);
  if (first === undefined) return <CallsPage />;
  return <Suspense fallback={<LoadingOverlay />}>{pageFor(first, second, more.length)}</Suspense>;
}

function pageFor(first: string, second: string | undefined, more: number): ReactNode {
  if (first === 'by' && second !== undefined && more === 0) return <RecordPage key={second} name={second} />;
  if (first === 'ledger' && second === undefined) return <LedgerPage />;
  if (first !== 'by' && second === undefined) return <CallPage key={first} publicId={first} />;
  return <NoSuchPage>Not found.</NoSuchPage>;
}
