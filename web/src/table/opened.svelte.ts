/** What is open over the table: one thing at a time. */

export type Overlay =
  'menu' | 'how' | 'memo' | 'rules' | 'settings' | 'score' | 'watchers' | 'leave';

export class Opened {
  what = $state<Overlay | null>(null);
}
