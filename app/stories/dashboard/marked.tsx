/** A text in which the beginnings of words that the user has searched for are marked. */
export function Marked({ text, query }: { text: string; query: string }) {
  const wanted = query.toLowerCase().match(WORDS);
  if (!wanted) return text;
  return text.split(/([\p{L}\p{N}]+)/u).map((part, index) => {
    const found = wanted.find((word) => part.toLowerCase().startsWith(word));
    if (found === undefined) return part;
    return (
      <span key={index}>
        <mark>{part.slice(0, found.length)}</mark>
        {part.slice(found.length)}
      </span>
    );
  });
}

const WORDS = /[\p{L}\p{N}]+/gu;
