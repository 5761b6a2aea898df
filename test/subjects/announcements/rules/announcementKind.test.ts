import { describe, expect, test } from 'bun:test';
import { exDividendDate, kindsOf } from '#subjects/announcements/rules/announcementKind.ts';

const kinds = (headline: string, ...announcementTypes: string[]) =>
  kindsOf({ headline, announcementTypes }).join();

describe('the kinds of an announcement', () => {
  test.each([
    ['Trading Halt', ['Trading Halt'], 'halt'],
    ['Suspension from Quotation', ['Suspension from Official Quotation'], 'halt'],
    [
      'Hiremii Completes $1.8m Placement and Appoints New Chair',
      ['Placement', 'Trading Halt Lifted'],
      'lifted,raising',
    ],
    ['FRS - Placement Completed and SPP Upscaled', ['Placement', 'Security Purchase Plan'], 'raising'],
    ['Equity Raising to Support Execution of Growth Initiatives', ['Non-Renounceable Issue'], 'raising'],
    [
      'Quarterly report (updated)',
      ['Second Quarter Activities Report', 'Second Quarter Cash Flow Report'],
      'quarterly',
    ],
    [
      'Amended activities report and Appendix 4C',
      ['Commitments Test Entity - Fourth Quarter Cashflow Report'],
      'quarterly',
    ],
    ['Targets Statement', ['Target’s Statement - Off-market bid'], 'takeover'],
    ['Scheme Booklet', ['Scheme of Arrangement'], 'takeover'],
    ['Half Yearly Report and Accounts', ['Half Yearly Report', 'Dividend Record Date'], 'results,dividend'],
    ['FY26 outlook', ['Profit Guidance'], 'guidance'],
    [
      'Dividend/Distribution - PL8',
      ['Dividend Record Date', 'Dividend Pay Date', 'Dividend Rate'],
      'dividend',
    ],
  ])('“%s” with the types %p is %s', (headline, types, expected) => {
    expect(kinds(headline, ...types)).toBe(expected);
  });

  test('follow the types that the source states, even if the headline has a word of another kind', () => {
    expect(kinds('Cleansing Notice (Entitlement Offer)', 'Cleansing Notice')).toBe('');
    expect(
      kinds('Q2 FY26 Quarterly Update - Webinar & Q&A', 'Notification of Results/Reporting Date', 'Web Cast'),
    ).toBe('');
    expect(kinds('EXCLUSIVE PRODUCTS DISTRIBUTION AGREEMENT EXTENDED TO 2047', 'Progress Report')).toBe('');
    expect(kinds('Takeover of the day', 'Employee Share Scheme Buy-Back')).toBe('');
    expect(kinds('DRP price', 'Dividend Reinvestment Plan')).toBe('');
  });

  test.each([
    ['Trading Halt', 'halt'],
    ['Pause in trading', 'halt'],
    ['Trading Halt Lifted', 'lifted'],
    ['Reinstatement to Quotation', 'lifted'],
    ['$7.5M Placement to Accelerate Commercialisation', 'raising'],
    ['Share Purchase Plan to close on Friday', 'raising'],
    ['Quarterly Activities/Appendix 5B Cash Flow Report', 'quarterly'],
    ['Supplementary Target’s Statement', 'takeover'],
    ['Appendix 4D and Half Year Report', 'results'],
    ['Dividend/Distribution - DJW', 'dividend'],
    ['Replacement of Appendix 3G', ''],
    ['EXCLUSIVE PRODUCTS DISTRIBUTION AGREEMENT EXTENDED TO 2047', ''],
    ['Halting progress', ''],
  ])('without types, “%s” is “%s”', (headline, expected) => {
    expect(kinds(headline)).toBe(expected);
  });
});

describe('the ex-dividend date of a headline', () => {
  test.each([
    ['Ex-dividend date 4 December 2026', '2026-12-04'],
    ['Interim dividend, ex date: 04/12/2026', '2026-12-04'],
    ['Ex dividend 14 Feb 2027 and DRP details', '2027-02-14'],
    ['Ex-distribution: 30.12.2026', '2026-12-30'],
    ['Dividend/Distribution - PL8', null],
    ['2026 Key Dates', null],
    ['Ex-dividend 4 December', null],
    ['Ex-dividend 31 February 2026', null],
    ['Ex-dividend 12 Foo 2026', null],
    ['Annex 4 December 2026', null],
    ['Exploration update 4 December 2026', null],
  ])('of “%s” is %p', (headline, date) => {
    expect(exDividendDate(headline)).toBe(date);
  });
});
