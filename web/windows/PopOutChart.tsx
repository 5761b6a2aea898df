import SquareArrowOutUpRight from 'lucide-react/icons/square-arrow-out-up-right';
import type { ReactNode } from 'react';
import { IconButton } from '../ui/Button.tsx';
import { openChart } from './openChart.ts';

export const PopOutChart = ({ code }: { code: string }): ReactNode => (
  <IconButton label="Pop out the chart (c)" onClick={() => void openChart(code)}>
    <SquareArrowOutUpRight size={15} aria-hidden />
  </IconButton>
);
