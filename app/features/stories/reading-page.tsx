/** The reading page of an id that nothing is published under: the same for every id. */
export function ReadingPage() {
  return <p>reading-page works!</p>;
}
