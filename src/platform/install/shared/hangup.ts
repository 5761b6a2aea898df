import { readFileSync } from 'node:fs';

/** The bit of SIGHUP in a mask of signals. */
const HANGUP = 1n;

/**
 * Whether who started this process wants it to outlive the terminal (`nohup`): then the signal must stay ignored, and
 * listening to it would change that. True also where the system does not tell.
 */
export function isHangupIgnored(): boolean {
  try {
    const mask = /^SigIgn:\s{0,8}([0-9a-f]{1,32})$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return mask === undefined || (BigInt(`0x${mask}`) & HANGUP) !== 0n;
  } catch {
    return true;
  }
}
