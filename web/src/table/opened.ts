/** What can be open over the table. */
export type Opened =
  'menu' | 'how' | 'memo' | 'rules' | 'settings' | 'score' | 'watchers' | 'leave';
