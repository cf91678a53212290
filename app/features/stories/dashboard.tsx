import styles from "./dashboard.module.css";

/** The house that visitors see first. */
export function Dashboard() {
  return (
    <>
      <section className={styles.hero}>
        <h1>Stories, in good company.</h1>
        <p>Open a book, keep your place, and talk about it in the room while it is still warm.</p>
      </section>
      <section className={styles.section}>
        <h2>Explore Trending Stories</h2>
      </section>
      <section className={styles.section}>
        <h2>Explore Trending Live Stories</h2>
      </section>
      <section className={styles.section}>
        <h2>Bored of what you've read?</h2>
      </section>
    </>
  );
}
