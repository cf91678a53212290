import { Form } from "@remix-run/react";

import { Button } from "#app/ui/button.tsx";
import styles from "./surprise-banner.module.css";

/** The bottom banner, with a button that opens a random story. */
export function SurpriseBanner() {
  return (
    <section className={styles.banner}>
      <div>
        <h2>Bored of what you've read?</h2>
        <p>We'll pick one you haven't opened.</p>
      </div>
      <Form method="post" action="/surprise">
        <Button type="submit">Surprise me</Button>
      </Form>
    </section>
  );
}
