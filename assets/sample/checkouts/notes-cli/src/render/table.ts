import type { Note } from "../store/files.ts";

/** One line a note: the date is never cut, the title is. */
export function list(notes: Note[], width: number): string {
  const room = width - 12;
  return notes
    .map((note) => {
      const title = note.title.length > room ? note.title.slice(0, room - 1) + "." : note.title;
      return `${note.date}  ${title}\n`;
    })
    .join("");
}
