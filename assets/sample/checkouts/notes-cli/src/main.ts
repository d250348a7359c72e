import { list } from "./render/table.ts";
import { readAll } from "./store/files.ts";

const [command] = process.argv.slice(2);
if (command === "ls") {
  process.stdout.write(list(await readAll("."), 80));
} else {
  process.stderr.write("notes: unknown command; try `notes ls`\n");
  process.exit(2);
}
