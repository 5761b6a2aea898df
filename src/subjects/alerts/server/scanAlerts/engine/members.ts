import { IN, type Membership, NEW } from '../../../rules/scanAlerts/membership.ts';

/**
 * Where each stock stands of each scan: Membership, those of one stock side by side, as a tick looks at one stock after the
 * other. Scans and stocks are known by their numbers.
 */
export class Members {
  /** By stock, then by scan. Replaced when it grows. */
  private all = new Uint8Array(0);
  private scans = 64;
  private stocks = 0;

  get(scan: number, stock: number): Membership {
    return (this.all[stock * this.scans + scan] ?? NEW) as Membership;
  }

  set(scan: number, stock: number, member: Membership): void {
    this.all[stock * this.scans + scan] = member;
  }

  growStocks(stocks: number): void {
    this.resize(this.scans, stocks);
  }

  /** A scan that was not watched before: nothing is known of it. */
  begin(scan: number): void {
    if (scan >= this.scans) this.resize(this.scans * 2, this.stocks);
    for (let stock = 0; stock < this.stocks; stock += 1) this.set(scan, stock, NEW);
  }

  /** Forgets a stock. */
  forget(stock: number): void {
    this.all.fill(NEW, stock * this.scans, (stock + 1) * this.scans);
  }

  /** How many stocks stand in a scan. */
  countIn(scan: number): number {
    let count = 0;
    for (let stock = 0; stock < this.stocks; stock += 1) if (this.get(scan, stock) === IN) count += 1;
    return count;
  }

  private resize(scans: number, stocks: number): void {
    const all = new Uint8Array(scans * stocks);
    for (let stock = 0; stock < Math.min(stocks, this.stocks); stock += 1) {
      all.set(this.all.subarray(stock * this.scans, (stock + 1) * this.scans), stock * scans);
    }
    this.all = all;
    this.scans = scans;
    this.stocks = stocks;
  }
}
