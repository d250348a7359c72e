/** A change to one line of one note. Replayed in order of `clock`. */
export interface Change {
  note: string;
  line: number;
  text: string;
  clock: number;
}

export function inOrder(changes: Change[]): Change[] {
  return [...changes].sort((a, b) => a.clock - b.clock);
}
