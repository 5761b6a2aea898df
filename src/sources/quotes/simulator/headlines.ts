/** An announcement's headline and type. They name kinds of reports only and state nothing about a company. */
export type Title = { headline: string; type: string };

type Titles = readonly [Title, ...Title[]];

const title = (headline: string, type = headline): Title => ({ headline, type });

/** Announcements of companies that are not price sensitive; a title that is listed twice comes twice as often. */
export const COMPANY: Titles = [
  title('Application for quotation of securities', 'Appendix 2A'),
  title('Application for quotation of securities', 'Appendix 2A'),
  title('Update - Notification of buy-back', 'Daily Share Buy-Back Notice'),
  title('Update - Notification of buy-back', 'Daily Share Buy-Back Notice'),
  title("Change of Director's Interest Notice"),
  title("Change of Director's Interest Notice"),
  title('Change in substantial holding'),
  title('Becoming a substantial holder'),
  title('Ceasing to be a substantial holder'),
  title('Cleansing Notice'),
  title('Notification of cessation of securities', 'Appendix 3H (Notification of cessation of securities)'),
  title('Notification regarding unquoted securities', 'Appendix 3G'),
  title('Proposed issue of securities', 'Appendix 3B (Proposed issue of securities)'),
  title('Investor Presentation', 'Company Presentation'),
  title('Results of Meeting'),
  title('Notice of Annual General Meeting'),
  title("Chair's Address to Shareholders"),
  title("Initial Director's Interest Notice"),
  title("Final Director's Interest Notice"),
  title('Letter to Shareholders'),
  title('Corporate Governance Statement', 'Corporate Governance'),
  title('Annual Report'),
  title('Company Secretary Appointment/Resignation'),
  title('Webcast details', 'Web Cast'),
];

/** Announcements of funds that are not price sensitive. */
export const FUND: Titles = [
  title('Net Tangible Asset Backing'),
  title('Net Tangible Asset Backing'),
  title('Daily fund update', 'Net Tangible Asset Backing'),
  title('Application for quotation of securities', 'Appendix 2A'),
  title('Dividend/Distribution', 'Dividend Rate'),
  title('Monthly redemptions', 'Alteration to issued capital'),
];

/** Price sensitive, of mining and exploration companies. */
export const SENSITIVE_RESOURCES: Titles = [
  title('Quarterly Activities Report', 'First Quarter Activities Report'),
  title('Quarterly Cash Flow Report', 'First Quarter Cash Flow Report'),
  title('Operations update', 'Progress Report'),
  title('Progress Report'),
  title('Progress Report'),
  title('Trading Update'),
  title('Market update', 'Progress Report'),
  title('Project update', 'Progress Report'),
  title('Exploration update', 'Progress Report'),
];

/** Price sensitive, of other companies. */
export const SENSITIVE: Titles = [
  title('Quarterly Activities Report', 'First Quarter Activities Report'),
  title('Trading Update'),
  title('Market update', 'Progress Report'),
  title('Business update', 'Progress Report'),
  title('Half Yearly Report and Accounts', 'Half Yearly Report'),
];

export const SENSITIVE_FUND: Titles = [title('Estimated Distribution', 'Dividend Rate')];

export const HALT = title('Trading Halt');
export const HALT_LIFTED = title('Reinstatement to Official Quotation', 'Trading Halt Lifted');
export const AFTER_HALT: Titles = [
  title('Placement'),
  title('Progress Report'),
  title('Market update', 'Progress Report'),
];
