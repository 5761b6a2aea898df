import { OVERNIGHT, type OvernightFigure, type OvernightId } from '#market/rules/overnight.ts';
import { sessionAt } from '#market/rules/sessionClock.ts';
import { gauss, mix, textSeed } from './random.ts';
import { createWorld, dayNumber, marketGap } from './world.ts';

/** The usual level, the usual daily change in percent, and how much of the simulated market's gap it shares. */
const MARKETS: Readonly<Record<OvernightId, readonly [level: number, change: number, share: number]>> = {
  spi: [8450, 0.1, 1],
  spx: [6250, 0.5, 0.8],
  xjo: [8430, 0.6, 0],
  ironOre: [98, 1.2, 0.3],
  gold: [3350, 0.8, 0],
  oil: [68, 1.5, 0.2],
  aud: [0.652, 0.4, 0.4],
};

/** The level drifts around its usual one, so that days differ. */
const WALK_DAYS = 20;

/** Figures of the session's night from the seed. The future on the index shares the gap of the simulated market. */
export function simulatedOvernight(seed: number, now: number): OvernightFigure[] {
  const { date } = sessionAt(now);
  const day = dayNumber(date);
  const gap = marketGap(createWorld(seed).seed, day) * 100;
  return OVERNIGHT.map(({ id, decimals }) => {
    const [level, usual, share] = MARKETS[id];
    const own = mix(textSeed(id), seed);
    const noise = (of: number): number => usual * gauss(mix(own, of), 1);
    const change = Math.round((share * gap + noise(day)) * 100) / 100;
    let drift = 0;
    for (let back = 0; back < WALK_DAYS; back += 1) drift += noise(day - back);
    return { id, last: Number((level * (1 + drift / 100)).toFixed(decimals)), change, time: now };
  });
}
