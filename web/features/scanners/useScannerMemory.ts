import { useCallback, useEffect, useState } from 'react';
import type { ScannerKey } from '../../../src/domain/scanners/scanners.ts';
import { readMemory, type ScannerMemory, writeMemory } from './memory.ts';

/** A scanner's sort and filters, remembered in this browser. One mount serves one scanner. */
export function useScannerMemory(scanner: ScannerKey) {
  const [memory, setMemory] = useState(() => readMemory(scanner));
  useEffect(() => writeMemory(scanner, memory), [scanner, memory]);
  const change = useCallback((part: Partial<ScannerMemory>) => setMemory((old) => ({ ...old, ...part })), []);
  return [memory, change] as const;
}
