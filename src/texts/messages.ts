/** Texts that the specification fixes to the letter, by area. */
export const MESSAGES = {
  login: {
    invalid: 'Invalid username or password',
    network: 'Network error. Try again.',
  },
  seed: { noDemo: 'Failed to seed demo data.', failed: 'Seed failed.' },
  register: { failed: 'Registration failed', network: 'Network error. Try again.' },
  settings: {
    loadQuietHours: 'Failed to load your quiet hours',
    requestUpgrade: 'Failed to request upgrade',
    link: 'Failed to link',
    unlink: 'Failed to unlink',
    claim: 'Failed to claim link token',
    save: 'Failed to save',
    saveColumns: 'Failed to save columns',
    unlinked: 'Unlinked successfully',
    claimed: 'Chat linked successfully.',
  },
  calls: {
    load: 'Failed to load calls',
    loadMine: 'Unable to load your calls',
    submit: 'Unable to submit call',
    close: 'Failed to close call',
    cancel: 'Failed to cancel call',
    correct: 'Failed to correct call',
  },
  watchlist: {
    load: 'Failed to load watchlist',
    add: 'Failed to add',
    remove: 'Failed to remove',
    loadAlerts: 'Failed to load alerts',
    loadAttention: 'Failed to check which alerts need attention',
    saveAlert: 'Failed to save alert',
    toggleActive: 'Failed to toggle active',
    deleteAlert: 'Failed to delete alert',
  },
  customScanner: {
    saveSelection: 'Failed to save indicator selection',
    loadCatalog: 'Failed to load indicator catalog',
    load: 'Failed to load indicators',
  },
  news: {
    refresh: 'Failed to refresh news',
    summarise: 'Failed to summarise news',
  },
} as const;
