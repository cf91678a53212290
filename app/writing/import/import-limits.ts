/** The file field of the editor's form. */
export const IMPORT_FIELD = "file";

/** The files that can be imported, for file fields. */
export const IMPORT_TYPES =
  ".docx,.md,.markdown,.txt,.html,.htm,.xhtml,.zip,text/markdown,text/plain,text/html,application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** In bytes: what browsers read, and what is sent to the server without scripts. */
export const MAX_FILE_BYTES = { browser: 50 * 1024 * 1024, server: 5 * 1024 * 1024 };
