import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Note {
  path: string;
  title: string;
  date: string;
}

/** Notes of a folder, newest first. A file without a date line is skipped. */
export async function readAll(folder: string): Promise<Note[]> {
  const notes: Note[] = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".txt")) continue;
    const path = join(folder, name);
    const [title = "", date = ""] = (await readFile(path, "utf8")).split("\n");
    if (/^\d{4}-\d{2}-\d{2}$/.test(date)) notes.push({ path, title, date });
  }
  return notes.sort((a, b) => b.date.localeCompare(a.date));
}
