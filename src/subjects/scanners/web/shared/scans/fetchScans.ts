import type { ScanView } from '../../../../conditions/rules/savedScan.ts';
import { api, unwrap } from '../../../../../../web/api/client.ts';
import { readScans } from './readScans.ts';

/** The user's saved scans. @throws ApiError with the server's sentence */
export const fetchScans = async (): Promise<readonly ScanView[]> =>
  (await unwrap(api.indicators.scans.get(), readScans)).scans;
