import { OperatorsError, runOperators } from "./operators.ts";

// `npm run operator -- add ana@example.com | remove ana@example.com | list`: who looks after the room. Exits with 1 when
// something is wrong.

try {
  console.log(await runOperators(process.argv.slice(2), process.env));
} catch (error) {
  if (!(error instanceof OperatorsError)) throw error;
  console.error(error.message);
  process.exit(1);
}
