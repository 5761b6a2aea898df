import { appendFileSync } from 'node:fs';

/**
 * Runs inside the server that is measured, which loads it before its own code (`--preload`): every two milliseconds it looks
 * how long the event loop was held since it looked last, and writes down what is longer than a few milliseconds, with its
 * moment. That is the processor time of the loop's thread, as a busy machine makes everybody wait; the system may count that
 * in steps of 4 ms, so it is never taken for more than what passed by the clock.
 */
const EVERY_MS = 2;
const AT_LEAST_MS = 5;

const file = `${process.env['BENCH_LOOP_FOLDER'] ?? ''}/${process.pid}`;
appendFileSync(file, '');

const look = () => ({ cpu: process.threadCpuUsage(), at: performance.now() });
let before = look();

setInterval(() => {
  const now = look();
  const cpu = (now.cpu.user + now.cpu.system - before.cpu.user - before.cpu.system) / 1000;
  const held = Math.min(cpu, now.at - before.at - EVERY_MS);
  if (held >= AT_LEAST_MS)
    appendFileSync(file, `${(performance.timeOrigin + now.at).toFixed(1)} ${held.toFixed(2)}\n`);
  before = look();
}, EVERY_MS).unref();
