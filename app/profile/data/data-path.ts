/** More files than an account can need. */
const MAX_FILES = 200;

/** Where the data can be downloaded, and where a file of it is imported. */
export const DATA_PATH = "/profile/data";
export const IMPORT_PATH = "/profile?tab=data&import=1";

/** Returns the address of the tab with links to so many files. */
export function toFilesPath(files: number): string {
  return `/profile?tab=data&files=${files}#download-heading`;
}

/** Returns the address of one of several files. */
export function toFilePath(file: number, files: number): string {
  return `${DATA_PATH}?file=${file}&files=${files}`;
}

/** Reads the number of a file, and of all files, from 1; one of one if they are missing or wrong. */
export function readFileNumber(params: URLSearchParams): { file: number; files: number } {
  const file = Number(params.get("file") ?? 1);
  const files = Number(params.get("files") ?? 1);
  const isValid = Number.isInteger(file) && Number.isInteger(files) && file >= 1 && file <= files;
  return isValid && files <= MAX_FILES ? { file, files } : { file: 1, files: 1 };
}

/** Whether a request is of the form that imports a file. Its address says so, because its body may be larger than others. */
export function isImport({ url }: Pick<Request, "url">): boolean {
  return new URL(url).searchParams.has("import");
}
