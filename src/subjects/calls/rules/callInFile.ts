import type { OwnCall } from './types.ts';

/** A call as a transfer file tells it: to read, as it can't be posted again. Times are ISO 8601, prices AUD. */
export const callInFile = ({
  symbol,
  callType,
  status,
  entryPrice,
  targetPrice,
  stopLoss,
  stopLossType,
  rationale,
  pocketedValue,
  submittedAt,
  closedAt,
  filledAt,
  verified,
}: OwnCall) => ({
  symbol,
  callType,
  status,
  entryPrice,
  targetPrice,
  stopLoss,
  stopLossType,
  rationale,
  pocketedValue,
  submittedAt,
  filledAt,
  closedAt,
  verifiedPercent: verified?.percent ?? null,
});
