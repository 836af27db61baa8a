/** The sheet that is open over the table; only one at a time. */
export interface Opened {
  what:
    'menu' | 'how' | 'memo' | 'rules' | 'settings' | 'score' | 'watchers' | 'bots' | 'leave' | null;
}
