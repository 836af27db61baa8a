/** What can be open over the table. */
export type Opened = 'menu' | 'memo' | 'rules' | 'settings' | 'score' | 'leave';
