import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** Returns the file name of a compiled program on this platform. */
export function toFileName(program: string): string {
  return process.platform === "win32" ? `${program}.exe` : program;
}

/** Returns the path of a file on the PATH that can run. `undefined` when there is none. */
export async function findOnPath(fileName: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, fileName);
    if (folder !== "" && (await canRun(path))) return path;
  }
  return undefined;
}

export async function canRun(path: string): Promise<boolean> {
  return await hasFile(path, constants.X_OK);
}

/** @param mode what the user may do with the file */
export async function hasFile(path: string, mode: number = constants.R_OK): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  );
}
