import { t } from 'elysia';

export const replayView = t.Object({
  from: t.Number(),
  until: t.Number(),
  isPaused: t.Boolean(),
  speed: t.Number(),
  hasEnded: t.Boolean(),
  isCutOff: t.Boolean(),
  jumps: t.Number(),
  isOpenToAll: t.Boolean(),
  marketTime: t.Number(),
});

export const pauseBody = t.Object({
  paused: t.Boolean({ error: 'Say with true or false whether it is to pause.' }),
});
export const speedBody = t.Object({ speed: t.Number({ error: 'Choose a speed from 1 to 60.' }) });
export const jumpBody = t.Object({
  time: t.Number({ error: 'Give the moment in epoch milliseconds of the market’s clock.' }),
});
