import type { ReactNode } from 'react';
import { PageTable } from './PageTable.tsx';
import './AlertList.css';

type AlertListProps = { label: string; isLoading: boolean; children: ReactNode };

/** The section of a list of alerts or triggers: its tools, and the table below. */
export function AlertList(props: AlertListProps): ReactNode {
  return <PageTable block="listed-alerts" {...props} />;
}
