import type { ScanView } from '#subjects/conditions/rules/savedScan.ts';
import { scansAnswer } from '#subjects/indicators/answers/scans.ts';
import { readerOf, request } from '#web/api/client.ts';

/** The user's saved scans. @throws ApiError with the server's sentence */
export const fetchScans = async (): Promise<readonly ScanView[]> =>
  (await request('GET /api/indicators/scans', { read: readerOf(scansAnswer) })).scans;
