import { appendFileSync, readFileSync } from 'node:fs';

/**
 * Runs inside the measured server, loaded before its code (`--preload`). Every two milliseconds it checks how long the
 * event loop was blocked, and writes times above some milliseconds with their moment. It uses the scheduler's time of
 * the loop's thread, because waiting for a processor on a busy machine does not block longer. The scheduler may count
 * it 4 ms late, so it is limited by the clock without such waiting.
 */
const EVERY_MS = 2;
const AT_LEAST_MS = 5;

const file = `${process.env['BENCH_LOOP_FOLDER'] ?? ''}/${process.pid}`;
appendFileSync(file, '');

/** Reads the times of the loop's thread, ms. */
function sample() {
  // The process's first thread, ns: running time, and time waiting for a processor.
  const [ran = 0, waited = 0] = readFileSync('/proc/self/schedstat', 'utf8').split(' ').map(Number);
  return { ran: ran / 1e6, waited: waited / 1e6, at: performance.now() };
}
let before = sample();

setInterval(() => {
  const now = sample();
  const passed = now.at - before.at - (now.waited - before.waited);
  const held = Math.min(now.ran - before.ran, passed - EVERY_MS);
  if (held >= AT_LEAST_MS)
    appendFileSync(file, `${(performance.timeOrigin + now.at).toFixed(1)} ${held.toFixed(2)}\n`);
  before = sample();
}, EVERY_MS).unref();
