import type { Config } from '../config.ts';

/** What no log and no message may hold. */
export const secretsOf = ({ ingestKey, jwtSecret, ai, telegram, discord, tradingview }: Config) => [
  ...[ingestKey, jwtSecret, ai.key],
  ...[telegram.token, discord.token, tradingview.cookie],
];
