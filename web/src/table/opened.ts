/** What is open over the table: one thing at a time. */
export interface Opened {
  what: 'menu' | 'how' | 'memo' | 'rules' | 'settings' | 'score' | 'watchers' | 'leave' | null;
}
