/** The user whose drafts are read and written. */
export interface Writer {
  uid: string;
  displayName: string | null;
  idToken: string;
}
